/**
 * Owns the one fetch that every connector uses. It calls public hosts over https and those the
 * owner allowed; it connects to the addresses that it checked; it limits time and size; it says of
 * each failure whether anything was sent. It never retries, keeps no connection open for later, and
 * knows no proxy.
 */

import type { IncomingMessage } from 'node:http'
import { getCACertificates } from 'node:tls'
import type { Clock } from '../core/clock.ts'
import { secondMs } from '../core/duration.ts'
import { InputError } from '../core/input-error.ts'
import { readBody } from './fetch/body.ts'
import { connect } from './fetch/connect.ts'
import { stopError, within } from './fetch/deadline.ts'
import { askFor } from './fetch/exchange.ts'
import { FetchError, placeOf } from './fetch/fetch-error.ts'
import { GuardedResponse } from './fetch/guarded-response.ts'
import { followRedirect, isRedirect, tooManyRedirects } from './fetch/redirect.ts'
import type { Hop } from './fetch/redirect.ts'
import { isWrite, parseRequest } from './fetch/request.ts'
import type { FetchOptions } from './fetch/request.ts'
import { resolveTarget, systemLookup } from './fetch/resolve.ts'
import type { Lookup } from './fetch/resolve.ts'
import { AllowList, parseTarget } from './fetch/target.ts'

export interface FetchLimits {
  /** For finding the address, connecting and the handshake, at each hop. */
  readonly connectMs: number
  /** From sending the request to the head of its answer, at each hop. */
  readonly headMs: number
  /** For a whole call; a call's own `timeoutMs` comes before it. */
  readonly timeoutMs: number
  /** Of a body; a call's own `maximumBytes` comes before it. */
  readonly maximumBytes: number
  readonly redirects: number
}

export const standardLimits: FetchLimits = {
  connectMs: 10 * secondMs,
  headMs: 20 * secondMs,
  timeoutMs: 30 * secondMs,
  maximumBytes: 4 * 1024 * 1024,
  redirects: 5,
}

export interface GuardedFetchSettings {
  /** `host` or `host:port`, exactly. Such a host may be private and may speak plain HTTP. */
  readonly allowHosts: readonly string[]
  readonly clock: Clock
  /** The machine's own where it is left out. */
  readonly lookup?: Lookup
  readonly limits?: Partial<FetchLimits>
  /** Certificates to trust beside the machine's own, in PEM. */
  readonly certificates?: readonly string[]
  readonly userAgent?: string
}

export type GuardedFetch = (url: string | URL, options?: FetchOptions) => Promise<GuardedResponse>

interface Guard {
  readonly clock: Clock
  readonly allowList: AllowList
  readonly lookup: Lookup
  readonly limits: FetchLimits
  readonly trusted: readonly string[] | null
}

export function createGuardedFetch(settings: GuardedFetchSettings): GuardedFetch {
  const { certificates, userAgent = 'secondwind' } = settings
  const guard: Guard = {
    clock: settings.clock,
    allowList: new AllowList(settings.allowHosts),
    lookup: settings.lookup ?? systemLookup,
    limits: { ...standardLimits, ...settings.limits },
    trusted: certificates === undefined ? null : [...getCACertificates('default'), ...certificates],
  }
  return async (url, options = {}) => {
    const target = parseTarget(url, guard.allowList)
    const hop: Hop = { target, request: parseRequest(options, userAgent) }
    const limits = callLimits(guard.limits, options)
    const signal = options.signal ?? new AbortController().signal
    const limit = { clock: guard.clock, durationMs: limits.timeoutMs, what: 'the whole call' }
    return within(limit, signal, (whole) => follow({ ...guard, limits }, hop, options, whole))
  }
}

function callLimits(limits: FetchLimits, options: FetchOptions): FetchLimits {
  const { timeoutMs = limits.timeoutMs, maximumBytes = limits.maximumBytes } = options
  for (const [field, value] of Object.entries({ timeoutMs, maximumBytes })) {
    if (!(Number.isFinite(value) && value > 0)) throw new InputError(field, 'must be above 0')
  }
  return { ...limits, timeoutMs, maximumBytes }
}

/** Goes from redirect to redirect. Once a hop was sent, a later failure counts as sent as well. */
async function follow(
  guard: Guard,
  first: Hop,
  { redirect = isWrite(first.request.method) ? 'manual' : 'follow' }: FetchOptions,
  signal: AbortSignal,
): Promise<GuardedResponse> {
  let hop = first
  for (let count = 0; ; count += 1) {
    const result = await visit(guard, hop, redirect, signal).catch((error: unknown) => {
      throw count > 0 && error instanceof FetchError ? asSent(error) : error
    })
    if (result instanceof GuardedResponse) return result
    if (count === guard.limits.redirects) throw tooManyRedirects(hop.target, count)
    hop = followRedirect(hop, result, guard.allowList)
  }
}

function asSent(error: FetchError): FetchError {
  const { kind, where, problem, code } = error
  return error.sent ? error : new FetchError({ kind, sent: true, where, problem, code })
}

interface Redirection {
  readonly status: number
  readonly location: string | null
}

async function visit(
  guard: Guard,
  hop: Hop,
  redirect: 'follow' | 'manual',
  signal: AbortSignal,
): Promise<GuardedResponse | Redirection> {
  const { clock, limits } = guard
  const where = placeOf(hop.target.url)
  if (signal.aborted) throw stopError(signal, where, false)
  const connecting = { clock, durationMs: limits.connectMs, what: 'connecting' }
  const socket = await within(connecting, signal, async (part) => {
    const addresses = await resolveTarget(hop.target, guard.lookup, part)
    return connect({ target: hop.target, addresses, trusted: guard.trusted, signal: part })
  })
  try {
    const answering = { clock, durationMs: limits.headMs, what: 'waiting for an answer' }
    const answer = await within(answering, signal, (part) => askFor(socket, hop, part))
    const { message } = answer
    const status = message.statusCode ?? 0
    if (redirect === 'follow' && isRedirect(status)) {
      return { status, location: message.headers.location ?? null }
    }
    const { maximumBytes } = limits
    const hasBody = hop.request.method !== 'HEAD' && status !== 204 && status !== 304
    const bytes = hasBody
      ? await readBody(answer, { where, maximumBytes, signal })
      : Buffer.alloc(0)
    return new GuardedResponse({ status, where, headers: headersOf(message), bytes })
  } finally {
    // Never kept for another request: a connection that died idle makes the next write's fate a
    // guess.
    socket.destroy()
  }
}

function headersOf(message: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>()
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    headers.set(name, values.join(', '))
  }
  return headers
}
