/** Owns giving up on a call in time. What was given up may still take effect: that is unknown. */

import type { Clock } from '../core/clock.ts'

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'

  constructor(deadlineMs: number) {
    super(`No answer within ${deadlineMs} ms`)
  }
}

/** Runs a call with a signal that aborts at the deadline, and does not wait for it any longer. */
export async function withDeadline<Result>(
  clock: Clock,
  deadlineMs: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const answered = new AbortController()
  const deadline = clock.sleep(deadlineMs, answered.signal).then(() => {
    if (answered.signal.aborted) return pending
    const error = new DeadlineError(deadlineMs)
    over.abort(error)
    throw error
  })
  try {
    return await Promise.race([call(over.signal), deadline])
  } finally {
    answered.abort()
  }
}

const pending = new Promise<never>(() => {})
