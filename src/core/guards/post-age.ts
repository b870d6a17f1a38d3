/** A post is watched from a first age on, when a curve exists, to a last one, when it is over. */

import { z } from 'zod'
import { durationMs, positiveDurationMs } from '../duration-field.ts'
import { never, untilTime } from '../until.ts'
import { formatDuration } from '../wording.ts'
import { defineGuard, hold, pass } from './guard.ts'

interface PostAgeFacts extends Readonly<Record<string, number | null>> {
  readonly ageMs: number | null
  readonly fromMs: number
  readonly toMs: number
}

export const postAge = defineGuard({
  settings: z.strictObject({
    guard: z.literal('post_age'),
    fromMs: durationMs,
    toMs: positiveDurationMs,
  }),
  check({ input }, { guard, fromMs, toMs }) {
    const { publishedAt } = input.post
    const ageMs = publishedAt === null ? null : input.now - publishedAt
    const facts: PostAgeFacts = { ageMs, fromMs, toMs }
    if (publishedAt === null || ageMs === null || ageMs > toMs) return hold(guard, facts, never)
    if (ageMs < fromMs) return hold(guard, facts, untilTime(publishedAt + fromMs))
    return pass(guard, facts)
  },
  describe({ ageMs, fromMs, toMs }: PostAgeFacts) {
    const span = `posts are acted on from ${formatDuration(fromMs)} to ${formatDuration(toMs)}`
    return ageMs === null
      ? `nobody knows when it was published; ${span}`
      : `it is ${formatDuration(ageMs)} old; ${span}`
  },
})
