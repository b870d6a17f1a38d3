/**
 * Owns a server with a dashboard for tests: the real one, on a port of its own, over a ledger that
 * the test holds. It can be stopped and started again on the same port.
 */

import { inspect } from 'node:util'
import { Secret } from '../../src/core/index.ts'
import { InputError } from '../../src/core/input-error.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { Connector, Trial } from '../../src/platform/connector.ts'
import type { Platform } from '../../src/platform/platform.ts'
import { createServer, listen } from '../../src/server/index.ts'
import type { Listening, Server } from '../../src/server/index.ts'
import { systemClock, systemRandom } from '../../src/system.ts'
import { Vault, VaultKey } from '../../src/vault/index.ts'

export interface SiteOptions {
  readonly ledger: Ledger
  readonly platforms: readonly Platform[]
  readonly webFolder: string
  readonly mode: 'demo' | 'live'
  /** What can be tried out on its networks. */
  readonly trial?: Trial
}

export const password = 'correct horse battery'

export class Site {
  readonly #options: SiteOptions
  readonly #vault = new Vault({ current: VaultKey.parse(VaultKey.make(), 'key'), older: [] })
  /** What the server said about itself, to be shown where a test fails. */
  readonly logged: string[] = []
  #server: Server
  #listening: Listening | null = null
  #port = 0

  private constructor(options: SiteOptions) {
    this.#options = options
    this.#server = this.#make()
  }

  static async open(options: SiteOptions): Promise<Site> {
    const site = new Site(options)
    await site.start()
    return site
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async start(): Promise<void> {
    this.#server = this.#make()
    this.#listening = await listen(this.#server, { port: this.#port, clock: systemClock })
    this.#port = this.#listening.port
    this.#server.start()
  }

  async stop(): Promise<void> {
    await this.#listening?.stop()
    this.#listening = null
  }

  async setUpLink(): Promise<string> {
    const link = await this.#server.setUpLink(this.url)
    if (link === null) throw new Error('It was set up before')
    return link
  }

  signInLink(): Promise<string> {
    return this.#server.signInLink(this.url)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }

  #make(): Server {
    const { ledger, platforms, webFolder, mode, trial } = this.#options
    const note = (fields: object, message: string) =>
      this.logged.push(`${message} ${inspect(fields)}`)
    return createServer({
      ledger,
      clock: systemClock,
      random: systemRandom,
      platforms,
      connectors: platforms.map((platform) => connectorOf(platform, trial)),
      tools: {
        fetch: () => Promise.reject(new Error('No test leaves this machine')),
        socket: () => Promise.reject(new Error('No test leaves this machine')),
        clock: systemClock,
        random: systemRandom,
      },
      vault: this.#vault,
      engineHealth: () => ({ lastTurnAt: systemClock.now(), problems: [] }),
      mode,
      log: { info: () => undefined, warn: note, error: note },
      version: '0.0.0-test',
      ledgerKind: 'memory',
      webFolder,
      settings: { passwordCost: 2 ** 4, pollMs: 50, requestsPerMinute: 1e6 },
    })
  }
}

/** A sign-in that any handle passes with the right word. */
function connectorOf(platform: Platform, trial?: Trial): Connector {
  const field = (name: string, label: string, isSecret: boolean) => ({
    name,
    label,
    hint: `The ${label.toLowerCase()} of the simulated network.`,
    isSecret,
    fallback: null,
  })
  return {
    name: platform.name,
    title: platform.name,
    create: () => platform,
    ...(trial === undefined ? {} : { trial }),
    signIns: [
      {
        kind: 'direct',
        name: 'token',
        title: 'Access token',
        fields: [field('handle', 'Handle', false), field('token', 'Token', true)],
        open: async (_, { handle = '', token = '' }) => {
          if (token !== 'secret') throw new InputError('values.token', 'is wrong; it is secret')
          return { handle, credentials: new Secret(token), profile: null }
        },
      },
    ],
  }
}
