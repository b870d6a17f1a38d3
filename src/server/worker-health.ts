/**
 * Owns what a worker answers to those who watch over processes: does it live, and can it work.
 * Whoever can reach it may ask, so it says one word, reads no body and has no other route.
 */

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { secondMs } from '../core/duration.ts'
import { InputError } from '../core/input-error.ts'

export interface WorkerHealthOptions {
  /** `127.0.0.1` unless given. */
  readonly host?: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Whether it can work now. One that fails means that it cannot. */
  readonly check: () => Promise<boolean>
}

/** Disposing of it ends every connection. */
export interface WorkerHealth extends AsyncDisposable {
  readonly url: string
  readonly port: number
}

/** Those who ask are few. More connections than this are somebody's mistake, and get none. */
const mostConnections = 64
const patienceMs = 5 * secondMs

export async function listenForHealth(options: WorkerHealthOptions): Promise<WorkerHealth> {
  const { host = '127.0.0.1', port } = options
  const isReady = oneAtATime(options.check)
  const http = createServer(
    {
      headersTimeout: patienceMs,
      requestTimeout: patienceMs,
      connectionsCheckingInterval: secondMs,
    },
    (request, response) => {
      void answer(request, response, isReady)
    },
  )
  http.maxConnections = mostConnections
  await bind(http, host, port)
  const bound = http.address() as AddressInfo
  const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address
  return {
    url: `http://${name}:${bound.port}`,
    port: bound.port,
    [Symbol.asyncDispose]: () => close(http),
  }
}

async function answer(
  { method, url }: IncomingMessage,
  response: ServerResponse,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const [path] = (url ?? '').split('?')
  if (method === 'GET' && path === '/healthz') return send(response, 200, 'ok')
  if (method !== 'GET' || path !== '/readyz') return send(response, 404, 'not_found')
  if (await isReady()) return send(response, 200, 'ready')
  send(response, 503, 'not_ready')
}

/** A connection serves one request, so that what follows its head is never read. */
function send(response: ServerResponse, status: number, word: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    connection: 'close',
  })
  response.end(JSON.stringify({ status: word }))
}

/** All who ask meanwhile get the same answer: nobody can make the ledger busy by asking often. */
function oneAtATime(check: () => Promise<boolean>): () => Promise<boolean> {
  let running: Promise<boolean> | null = null
  const run = async () => {
    try {
      return await check()
    } catch {
      // Whatever keeps it from finding out keeps it from working.
      return false
    }
  }
  return () => {
    running ??= run().finally(() => {
      running = null
    })
    return running
  }
}

function bind(http: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', ({ code = 'unknown' }: NodeJS.ErrnoException) => {
      const problem = `${host}:${port} cannot be listened on (${code}); give a free port above 1023`
      reject(new InputError('port', `${problem} and an address of this machine`))
    })
    http.listen({ host, port }, resolve)
  })
}

function close(http: Server): Promise<void> {
  return new Promise((resolve) => {
    http.close(() => resolve())
    http.closeAllConnections()
  })
}
