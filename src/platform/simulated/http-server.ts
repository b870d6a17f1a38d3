/**
 * Serves a simulated network over HTTP on this machine, so that it acts like a remote one: broken
 * connections are broken sockets, and answers without sense are bytes without sense.
 */

import { createServer } from 'node:http'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { secondMs } from '../../core/duration.ts'
import type { Delivered, Delivery } from './delivery.ts'
import type { Call, Caller } from './protocol.ts'
import { accountHeader, callPath, callSchema } from './wire-schema.ts'

const loopback = '127.0.0.1'
const largestBodyBytes = 1024 * 1024

export interface ServedNetwork extends AsyncDisposable {
  /** Where it listens, as `http://127.0.0.1:port`. */
  readonly url: string
  /** Breaks every connection and stops listening. */
  close(): Promise<void>
}

/** Listens on a port of the system's choice, unless one is given, and only on this machine. */
export async function serveNetwork(delivery: Delivery, port = 0): Promise<ServedNetwork> {
  const server = createServer((request, response) => {
    void serveCall(delivery, request, response)
  })
  await listen(server, port)
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const close = () => closeServer(server)
  return { url: `http://${loopback}:${address.port}`, close, [Symbol.asyncDispose]: close }
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, loopback, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}

async function serveCall(
  delivery: Delivery,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // A connection that dies while it idles would make the fate of the next write a guess.
  response.shouldKeepAlive = false
  const gone = new AbortController()
  response.once('close', () => gone.abort())
  try {
    const call = parseCall(request, await readBody(request))
    if (call === null) {
      send(response, 400, { code: 'invalid', message: 'This is no call' }, {})
      return
    }
    const caller = callerOf(request)
    const delivered = await delivery.deliver(call, caller, gone.signal)
    respond(response, delivered, rateHeaders(delivery, caller))
  } catch {
    // The caller hung up, or sent more than anybody should; there is nobody to tell.
    response.destroy()
  }
}

function parseCall(request: IncomingMessage, body: string): Call | null {
  if (request.method !== 'POST' || request.url?.startsWith(callPath) !== true) return null
  try {
    const parsed = callSchema.safeParse(JSON.parse(body))
    return parsed.success && request.url === callPath + parsed.data.kind ? parsed.data : null
  } catch {
    return null
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largestBodyBytes) throw new Error('The body is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function callerOf({ headers }: IncomingMessage): Caller {
  const { authorization = '' } = headers
  const handle = headers[accountHeader]
  return {
    handle: typeof handle === 'string' ? decodeURIComponent(handle) : '',
    bearer: authorization.startsWith('Bearer ') ? authorization.slice('Bearer '.length) : null,
  }
}

function respond(response: ServerResponse, delivered: Delivered, headers: Headers): void {
  if (delivered.kind === 'malformed') {
    response.writeHead(200, { 'content-type': 'application/json' }).end('<html>{"at":')
    return
  }
  if (delivered.kind !== 'answered') {
    response.destroy()
    return
  }
  const { answer } = delivered
  if (answer.kind === 'done') {
    send(response, 200, { at: answer.at, data: answer.data }, headers)
    return
  }
  const { status, code, message, retryAfterMs } = answer
  const retryAfter: Headers =
    retryAfterMs === null ? {} : { 'retry-after': String(Math.ceil(retryAfterMs / secondMs)) }
  send(response, status, { code, message }, { ...headers, ...retryAfter })
}

type Headers = Readonly<Record<string, string>>

function rateHeaders(delivery: Delivery, { handle }: Caller): Headers {
  const state = delivery.rateState(handle)
  if (state === null) return {}
  return {
    'ratelimit-limit': String(state.limit),
    'ratelimit-remaining': String(state.remaining),
    'ratelimit-reset': new Date(state.resetAt).toISOString(),
  }
}

function send(response: ServerResponse, status: number, body: object, headers: Headers): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(body))
}
