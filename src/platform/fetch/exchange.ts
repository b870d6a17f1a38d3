/**
 * Owns one request on one open connection: writing it, and reading the head of its answer. Whatever
 * fails from here on may have been applied: the request has left.
 */

import { request as startRequest } from 'node:http'
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { stopError } from './deadline.ts'
import { placeOf } from './fetch-error.ts'
import type { Hop } from './redirect.ts'
import { revealed } from './request.ts'
import { brokenOff, failedAfterSending } from './sent-failure.ts'

const maximumHeadBytes = 32 * 1024

export interface Answer {
  readonly message: IncomingMessage
  /** What broke the connection since then, if it was more than its end. */
  brokenBy(): unknown
}

/** Sends the request and waits for the head of the answer. */
export async function askFor(
  socket: Socket,
  { target, request }: Hop,
  signal: AbortSignal,
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  let brokenBy: unknown = null
  const where = placeOf(target.url)
  if (signal.aborted) throw stopError(signal, where, false)
  const body = revealed(request.body)
  const headers: OutgoingHttpHeaders = { host: target.url.host, 'accept-encoding': 'gzip, br' }
  for (const [name, value] of request.headers) headers[name] = revealed(value)
  if (body !== null) headers['content-length'] = Buffer.byteLength(body)
  const outgoing = startRequest({
    createConnection: () => socket,
    method: request.method,
    path: `${target.url.pathname}${target.url.search}`,
    headers,
    setHost: false,
    maxHeaderSize: maximumHeadBytes,
    signal,
  })
  outgoing.once('response', (message) => resolve({ message, brokenBy: () => brokenBy }))
  outgoing.once('upgrade', () => {
    socket.destroy()
    reject(failedAfterSending(where, 'malformed', 'the answer changes the protocol, unasked'))
  })
  // It goes on listening: a body that is not framed as HTTP says is reported here.
  outgoing.on('error', (error) => {
    brokenBy = error
    reject(brokenOff(error, signal, where))
  })
  outgoing.end(body)
  return promise
}
