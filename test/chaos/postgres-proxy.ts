/**
 * Stands between the workers and Postgres, as a network does: it can be cut, so that connections
 * break and none comes about, or stall, so that they stay open and nothing gets through.
 */

import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'

type Condition = 'whole' | 'cut' | 'stalled'

export class PostgresProxy {
  readonly #server: Server
  readonly #target: URL
  readonly #pairs = new Set<readonly [Socket, Socket]>()
  #condition: Condition = 'whole'

  private constructor(target: URL) {
    this.#target = target
    // A half that ends does not end the other by itself: that is what passing it on is for.
    this.#server = createServer({ allowHalfOpen: true, noDelay: true }, (near) => this.#join(near))
  }

  static async listen(connectionString: string): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(new URL(connectionString))
    const { promise, resolve } = Promise.withResolvers<void>()
    proxy.#server.listen(0, '127.0.0.1', resolve)
    await promise
    return proxy
  }

  /** The same database, by way of the proxy. */
  get connectionString(): string {
    const url = new URL(this.#target)
    url.port = String((this.#server.address() as AddressInfo).port)
    return url.href
  }

  cut(): void {
    this.#condition = 'cut'
    this.#breakAll()
  }

  stall(): void {
    this.#condition = 'stalled'
    for (const pair of this.#pairs) for (const socket of pair) socket.pause()
  }

  /** What was held back by a stall goes on its way. */
  heal(): void {
    this.#condition = 'whole'
    for (const pair of this.#pairs) for (const socket of pair) socket.resume()
  }

  async close(): Promise<void> {
    this.#breakAll()
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#server.close(() => resolve())
    await promise
  }

  #breakAll(): void {
    for (const pair of this.#pairs) for (const socket of pair) socket.destroy()
    this.#pairs.clear()
  }

  #join(near: Socket): void {
    if (this.#condition === 'cut') {
      near.on('error', () => {})
      near.resetAndDestroy()
      return
    }
    const { hostname, port } = this.#target
    const far = connect({ host: hostname, port: Number(port), noDelay: true, allowHalfOpen: true })
    const pair = [near, far] as const
    this.#pairs.add(pair)
    this.#pass(near, far, pair)
    this.#pass(far, near, pair)
    if (this.#condition === 'stalled') for (const socket of pair) socket.pause()
  }

  #pass(from: Socket, to: Socket, pair: readonly [Socket, Socket]): void {
    from.on('data', (chunk) => {
      if (to.write(chunk)) return
      from.pause()
      to.once('drain', () => {
        if (this.#condition !== 'stalled') from.resume()
      })
    })
    from.on('end', () => to.end())
    from.on('error', () => {})
    from.on('close', () => {
      to.destroy()
      this.#pairs.delete(pair)
    })
  }
}
