/** Owns what a decision comes to, with the sentence that says why and every number behind it. */

import { z } from '@hono/zod-openapi'
import { instant, json, orNull, tier, until } from './fields.ts'

export const verdictKind = z
  .enum(['plan', 'hold', 'healthy', 'insufficient'])
  .openapi('VerdictKind')

/** One line of the checklist. */
export const guardView = z
  .object({
    guard: z.string(),
    kind: z.enum(['pass', 'hold']),
    /** What it saw, in words. */
    sentence: z.string(),
    until: orNull(until),
  })
  .openapi('Guard')
export type GuardView = z.infer<typeof guardView>

/** One evaluation of a post. */
export const verdictView = z
  .object({
    postId: z.string(),
    kind: verdictKind,
    /** Why nothing is done, or what is missing; null where neither applies. */
    reason: z.string().nullable(),
    score: z.number().nullable(),
    stalled: z.boolean(),
    tier: orNull(tier),
    until: orNull(until),
    policy: z.string(),
    /** The time of the newest sample it saw. */
    at: instant,
    evaluatedAt: instant,
    /** The whole reason with its numbers, as every surface shows it. */
    sentence: z.string(),
    guards: z.array(guardView),
    /** What every stage saw; its instants are epoch milliseconds. */
    trace: json,
  })
  .openapi('Verdict')
export type VerdictView = z.infer<typeof verdictView>

/** A verdict as a list shows it. */
export const latestVerdict = z
  .object({
    kind: verdictKind,
    reason: z.string().nullable(),
    score: z.number().nullable(),
    tier: orNull(tier),
    until: orNull(until),
    evaluatedAt: instant,
  })
  .openapi('LatestVerdict')
export type LatestVerdict = z.infer<typeof latestVerdict>
