/** Owns giving up on a call in time. What was given up may still take effect: that is unknown. */

import type { Clock } from '../core/clock.ts'

export class DeadlineError extends Error {
  override readonly name = 'DeadlineError'

  constructor(deadlineMs: number) {
    super(`No answer within ${deadlineMs} ms`)
  }
}

/** Runs a call with a signal that aborts at the deadline, and does not wait for it any longer. */
export function withDeadline<Result>(
  clock: Clock,
  deadlineMs: number,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const over = new AbortController()
  const answered = new AbortController()
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      if (answered.signal.aborted) return
      const error = new DeadlineError(deadlineMs)
      over.abort(error)
      reject(error)
    }
    clock.sleep(deadlineMs, answered.signal).then(giveUp, reject)
    call(over.signal)
      .then(resolve, reject)
      // A reason of our own: without one an error with its stack is made for every call.
      .finally(() => answered.abort('answered'))
  })
}
