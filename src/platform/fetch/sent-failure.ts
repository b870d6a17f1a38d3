/** Owns putting a name to what goes wrong once a request has left. */

import { stopError } from './deadline.ts'
import { codeOf, FetchError } from './fetch-error.ts'
import type { FetchErrorKind } from './fetch-error.ts'

export function failedAfterSending(
  where: string,
  kind: FetchErrorKind,
  problem: string,
  code: string | null = null,
): FetchError {
  return new FetchError({ kind, sent: true, where, problem, code })
}

/** Errors of the machine may hold bytes from the wire; only their constant name is taken over. */
export function brokenOff(error: unknown, signal: AbortSignal, where: string): FetchError {
  if (signal.aborted) return stopError(signal, where, true)
  if (error instanceof FetchError) return error
  const code = codeOf(error) ?? ''
  if (code === 'HPE_HEADER_OVERFLOW') {
    return failedAfterSending(where, 'too_large', 'the head of the answer is too large', code)
  }
  if (code.startsWith('HPE_')) {
    return failedAfterSending(where, 'malformed', 'the answer is not HTTP', code)
  }
  if (/^(Z_|ERR_BROTLI|ERR__)/.test(code)) {
    return failedAfterSending(where, 'malformed', 'the body does not unpack', code)
  }
  const problem = 'the connection broke before the answer was complete'
  return failedAfterSending(where, 'reset', problem, code === '' ? null : code)
}
