/**
 * Owns binding to an address. Loopback is where it is safe by default; anything wider is refused
 * while a stranger could walk in.
 */

import type { Server as HttpServer } from 'node:http'
import { isIP } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import type { Clock } from '../core/clock.ts'
import { minuteMs, secondMs } from '../core/duration.ts'
import { InputError } from '../core/input-error.ts'
import type { Server } from './server.ts'

export interface ListenOptions {
  /** `127.0.0.1` unless given. */
  readonly host?: string
  /** 0 takes any that is free. */
  readonly port: number
  readonly clock: Clock
}

export interface Listening extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Takes no more requests and waits for those under way, but not for ever. */
  stop(): Promise<void>
}

const graceMs = 5 * secondMs

export async function listen(server: Server, options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port, clock } = options
  if (!isLoopback(host) && !(await server.isProtected())) {
    throw new InputError(
      'host',
      `${host} can be reached from other machines, and there is no password and no token yet; ` +
        'set one up on 127.0.0.1 first',
    )
  }
  const http = createAdaptorServer({
    fetch: (request, bindings) => server.fetch(request, bindings),
    // With Node's own Request a write without a body cannot be read: hono's limit copies it.
    overrideGlobalObjects: true,
    serverOptions: { requestTimeout: minuteMs, headersTimeout: 20 * secondMs },
  }) as HttpServer
  await bind(http, host, port)
  const address = http.address()
  const bound = typeof address === 'object' && address !== null ? address.port : port
  const stop = once(() => close(http, server, clock))
  const name = isIP(host) === 6 ? `[${host}]` : host
  return { url: `http://${name}:${bound}`, port: bound, stop, [Symbol.asyncDispose]: stop }
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

function bind(http: HttpServer, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => reject(explain(error, host, port)))
    http.listen({ host, port }, resolve)
  })
}

function explain(error: NodeJS.ErrnoException, host: string, port: number): Error {
  switch (error.code) {
    case 'EADDRINUSE':
      return new InputError('port', `${port} is taken; give another one, or stop what has it`)
    case 'EACCES':
      return new InputError('port', `${port} needs more rights; take one above 1023`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new InputError('host', `${host} is no address of this machine`)
    case undefined:
    default:
      return error
  }
}

async function close(http: HttpServer, server: Server, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    http.close(() => resolve())
  })
  await server.stop()
  http.closeIdleConnections()
  const isOver = new AbortController()
  const late = clock.sleep(graceMs, isOver.signal).then(() => http.closeAllConnections())
  await closed
  isOver.abort()
  await late
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null
  return () => (running ??= work())
}
