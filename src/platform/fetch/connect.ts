/**
 * Owns making a connection to addresses that were checked, and for https the handshake. Nothing of
 * a request is written here, so whatever fails here has sent nothing.
 */

import { connect as connectTcp, isIP } from 'node:net'
import type { LookupFunction, Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { secondMs } from '../../core/duration.ts'
import { stopError } from './deadline.ts'
import { codeOf, FetchError, placeOf } from './fetch-error.ts'
import type { FetchErrorKind } from './fetch-error.ts'
import type { Address } from './resolve.ts'
import type { Target } from './target.ts'

export interface ConnectOptions {
  readonly target: Target
  /** The only ones that are tried. */
  readonly addresses: readonly Address[]
  /** Certificates that are trusted, in PEM; the machine's own where null. */
  readonly trusted: readonly string[] | null
  readonly signal: AbortSignal
}

/** How long one address may keep the next from being tried. */
const nextAddressAfterMs = secondMs

/** An open connection of one request. Closing it is the caller's duty. */
export async function connect(options: ConnectOptions): Promise<Socket> {
  const socket = await openTcp(options)
  if (!options.target.isSecure) return socket
  try {
    return await shakeHands(socket, options)
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function openTcp({ target, addresses, signal }: ConnectOptions): Promise<Socket> {
  const socket = connectTcp({
    host: target.hostname,
    port: target.port,
    lookup: pinTo(addresses),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressAfterMs,
    noDelay: true,
  })
  return untilReady(socket, 'connect', { target, signal }, (error) => ({
    kind: 'connect',
    problem: 'no connection could be made',
    code: codeOf(error),
  }))
}

function shakeHands(socket: Socket, options: ConnectOptions): Promise<Socket> {
  const { hostname } = options.target
  const secure = connectTls({
    socket,
    // The name that the certificate must bear, whichever address is behind it.
    host: hostname,
    ...(isIP(hostname) === 0 ? { servername: hostname } : {}),
    ALPNProtocols: ['http/1.1'],
    minVersion: 'TLSv1.2',
    // Said aloud, because an environment variable can turn the default off.
    rejectUnauthorized: true,
    ...(options.trusted === null ? {} : { ca: [...options.trusted] }),
  })
  return untilReady(secure, 'secureConnect', options, (error) => ({
    kind: 'tls',
    problem: 'no secure connection could be agreed on',
    code: codeOf(error),
  }))
}

/** Answers every question for an address with those that were checked. */
export function pinTo(addresses: readonly Address[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses
    if (options.all === true) callback(null, [...addresses])
    else if (first === undefined) callback(new Error('no address'), '', 0)
    else callback(null, first.address, first.family)
  }
}

interface Failing {
  readonly kind: FetchErrorKind
  readonly problem: string
  readonly code: string | null
}

function untilReady(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  { target, signal }: Pick<ConnectOptions, 'target' | 'signal'>,
  describe: (error: unknown) => Failing,
): Promise<Socket> {
  const where = placeOf(target.url)
  const { promise, resolve, reject } = Promise.withResolvers<Socket>()
  const stop = () => {
    socket.destroy()
    reject(stopError(signal, where, false))
  }
  const settle = () => signal.removeEventListener('abort', stop)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  // The listener stays: an error after the connection is closed must not stop the process.
  socket.on('error', (error) => {
    settle()
    reject(new FetchError({ sent: false, where, ...describe(error) }))
  })
  socket.once('close', () => {
    settle()
    reject(new FetchError({ sent: false, where, ...describe(null) }))
  })
  socket.once(event, () => {
    settle()
    resolve(socket)
  })
  return promise
}
