/**
 * Owns a relay that others wrote, with its own checks of events, filters and logins, on 127.0.0.1.
 * Ours is only the wire, and the memory in which it keeps its events.
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { WebSocketServer } from 'ws'
import type { WebSocket } from 'ws'
import type { NostrEvent } from '../../../src/platform/nostr/event.ts'
import { EventStore } from '../../connectors/nostr/event-store.ts'
import type { WireFilter } from '../../connectors/nostr/event-store.ts'

/** What is used of the packages. They are installed for live tests only, so their types are not. */
interface RelayPackage {
  readonly NostrRelay: new (repository: object, options: object) => Relay
}
interface Relay {
  handleConnection(client: WebSocket, ip: string): void
  handleDisconnect(client: WebSocket): void
  handleMessage(client: WebSocket, message: unknown): Promise<unknown>
  isAuthorized(client: WebSocket): boolean
  destroy(): Promise<void>
}
interface ValidatorPackage {
  readonly Validator: new () => { validateIncomingMessage(text: string): Promise<unknown[]> }
}
interface CommonPackage {
  readonly EventRepository: new () => object
}

const load = async <Package>(name: string): Promise<Package> => (await import(name)) as Package

export interface RealRelayOptions {
  /** Whether events are taken only from those who have logged in. */
  readonly wantsLogin?: boolean
}

export class RealRelay implements AsyncDisposable {
  readonly url: string
  readonly store: EventStore
  /** How often someone logged in. */
  logins = 0
  readonly #server: WebSocketServer
  readonly #relay: Relay

  private constructor(server: WebSocketServer, relay: Relay, store: EventStore) {
    this.#server = server
    this.#relay = relay
    this.store = store
    this.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  static async start({ wantsLogin = false }: RealRelayOptions = {}): Promise<RealRelay> {
    const { NostrRelay } = await load<RelayPackage>('@nostr-relay/core')
    const { Validator } = await load<ValidatorPackage>('@nostr-relay/validator')
    const store = new EventStore()
    const relay = new NostrRelay(await keepIn(store), {
      logger: silent,
      // It gives an old answer for a second otherwise, and nobody here waits that long.
      filterResultCacheTtl: 0,
      ...(wantsLogin ? { hostname: '127.0.0.1' } : {}),
    })
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
    await once(server, 'listening')
    const running = new RealRelay(server, relay, store)
    const validator = new Validator()
    server.on('connection', (client) => {
      relay.handleConnection(client, '127.0.0.1')
      client.on('close', () => relay.handleDisconnect(client))
      client.on('message', (data: Buffer) => {
        const take = async () => {
          const message = await validator.validateIncomingMessage(data.toString())
          await running.#take(client, message, wantsLogin)
        }
        take().catch((error: unknown) => client.send(JSON.stringify(['NOTICE', String(error)])))
      })
    })
    return running
  }

  async #take(client: WebSocket, message: unknown[], wantsLogin: boolean): Promise<void> {
    const [type, event] = message as [string, NostrEvent]
    if (type === 'EVENT' && wantsLogin && !this.#relay.isAuthorized(client)) {
      client.send(JSON.stringify(['OK', event.id, false, 'auth-required: log in first']))
      return
    }
    await this.#relay.handleMessage(client, message)
    if (type === 'AUTH' && this.#relay.isAuthorized(client)) this.logins += 1
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#server.clients) client.terminate()
    this.#server.close()
    await once(this.#server, 'close')
    await this.#relay.destroy()
  }
}

const nothing = () => {}
const silent = {
  setLogLevel: nothing,
  debug: nothing,
  info: nothing,
  warn: nothing,
  error: nothing,
}

async function keepIn(store: EventStore): Promise<object> {
  const { EventRepository } = await load<CommonPackage>('@nostr-relay/common')
  return new (class extends EventRepository {
    isSearchSupported(): boolean {
      return false
    }

    async upsert(event: NostrEvent): Promise<{ readonly isDuplicate: boolean }> {
      const isDuplicate = store.has(event.id)
      store.put(event)
      return { isDuplicate }
    }

    async find(filter: WireFilter): Promise<readonly NostrEvent[]> {
      return store.find(filter)
    }

    async deleteByDeletionRequest(event: NostrEvent): Promise<void> {
      store.put(event)
    }

    async destroy(): Promise<void> {}
  })()
}
