/** Owns how the chaos waits: for a condition, never for a time, and never without a bound. */

import { systemClock } from '../../src/system.ts'

const lookEveryMs = 25

/** False where it did not come about in time. */
export async function comesAbout(
  mostMs: number,
  isSo: () => boolean | Promise<boolean>,
  everyMs = lookEveryMs,
): Promise<boolean> {
  const end = systemClock.monotonicMs() + mostMs
  for (;;) {
    if (await isSo()) return true
    if (systemClock.monotonicMs() >= end) return false
    await systemClock.sleep(everyMs)
  }
}

/** What it comes to, unless that takes too long. */
export async function within<Result>(
  mostMs: number,
  result: Promise<Result>,
): Promise<Result | 'too_late'> {
  const done = new AbortController()
  const late = systemClock.sleep(mostMs, done.signal).then(() => 'too_late' as const)
  try {
    return await Promise.race([result, late])
  } finally {
    done.abort('done')
  }
}
