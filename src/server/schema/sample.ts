/** Owns readings of a post's counters, pushed or read. A missing counter is null and not 0. */

import { z } from '@hono/zod-openapi'
import { count, id, instant, instantIn, text } from './fields.ts'
import { verdictView } from './verdict.ts'

export const sampleView = z
  .object({
    at: instant,
    impressions: z.number().nullable(),
    engagements: z.number(),
    /** Likes, replies, reposts…, as far as the network gives them. */
    interactions: z.record(z.string(), z.number()).nullable(),
  })
  .openapi('Sample')
export type SampleView = z.infer<typeof sampleView>

export const sampleList = z.object({ items: z.array(sampleView) }).openapi('SampleList')

export const sampleBody = z
  .strictObject({
    at: instantIn,
    impressions: count.nullable().default(null),
    engagements: count,
    interactions: z.record(text(64).min(1), count).optional(),
  })
  .openapi('SampleBody')
export type SampleBody = z.input<typeof sampleBody>

export const mostPushed = 1000

/** Readings of many posts at once. One at an instant that is known already changes nothing. */
export const pushBody = z
  .strictObject({
    samples: z
      .array(z.strictObject({ postId: id, sample: sampleBody }))
      .min(1)
      .max(mostPushed),
  })
  .openapi('PushBody')
export type PushBody = z.input<typeof pushBody>

export const pushed = z
  .object({
    /** How many were not known yet. */
    recorded: z.number(),
    /** For posts of accounts without a connector: what each comes to now. */
    verdicts: z.array(verdictView),
  })
  .openapi('Pushed')
export type Pushed = z.infer<typeof pushed>
