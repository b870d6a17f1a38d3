/** Owns giving up: a limit of time on a piece of work, kept with the clock that is given. */

import type { Clock } from '../../core/clock.ts'
import { formatDuration } from '../../core/wording.ts'
import { FetchError } from './fetch-error.ts'

export interface Limit {
  readonly clock: Clock
  readonly durationMs: number
  /** What takes too long, as the start of a sentence. */
  readonly what: string
}

/** The reason with which a signal of ours aborts. A caller's own reason is never looked into. */
class OutOfTime {
  readonly problem: string

  constructor({ what, durationMs }: Limit) {
    this.problem = `${what} took longer than ${formatDuration(durationMs)}`
  }
}

/** Does work that ends when its signal aborts: because `outer` did, or because time is up. */
export async function within<Result>(
  limit: Limit,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const expiry = new AbortController()
  const done = new AbortController()
  const expire = async () => {
    await limit.clock.sleep(limit.durationMs, done.signal)
    if (!done.signal.aborted) expiry.abort(new OutOfTime(limit))
  }
  void expire()
  try {
    return await work(AbortSignal.any([outer, expiry.signal]))
  } finally {
    done.abort()
  }
}

/** Waits for a promise that cannot be stopped itself, and looks away once the signal aborts. */
export async function unlessAborted<Result>(
  promise: Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  const stopped = Promise.withResolvers<never>()
  const stop = () => stopped.reject(new Error('aborted'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([promise, stopped.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** What an aborted signal means for the caller. */
export function stopError(signal: AbortSignal, where: string, sent: boolean): FetchError {
  const reason: unknown = signal.reason
  return reason instanceof OutOfTime
    ? new FetchError({ kind: 'timeout', sent, where, problem: reason.problem })
    : new FetchError({ kind: 'aborted', sent, where, problem: 'the caller gave up' })
}
