/** A post is watched from a first age on, when a curve exists, to a last one, when it is over. */

import { z } from 'zod'
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
    fromMs: z.number().nonnegative(),
    toMs: z.number().positive(),
  }),
  check({ input }, { fromMs, toMs }) {
    const { publishedAt } = input.post
    if (publishedAt === null) return hold<PostAgeFacts>({ ageMs: null, fromMs, toMs }, never)
    const facts: PostAgeFacts = { ageMs: input.now - publishedAt, fromMs, toMs }
    if (input.now - publishedAt < fromMs) return hold(facts, untilTime(publishedAt + fromMs))
    return input.now - publishedAt > toMs ? hold(facts, never) : pass(facts)
  },
  describe({ ageMs, fromMs, toMs }: PostAgeFacts) {
    const span = `posts are acted on from ${formatDuration(fromMs)} to ${formatDuration(toMs)}`
    return ageMs === null
      ? `nobody knows when it was published; ${span}`
      : `it is ${formatDuration(ageMs)} old; ${span}`
  },
})
