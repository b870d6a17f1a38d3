/** Owns the stateless question: counters in, verdict out. Nothing is stored. */

import { z } from '@hono/zod-openapi'
import { isTimeZone } from '../../core/time-zone.ts'
import { action, id, instantIn, json, state, tier, text } from './fields.ts'
import { sampleBody } from './sample.ts'

const mostSamples = 5000

export const evaluateBody = z
  .strictObject({
    post: z.strictObject({
      id,
      publishedAt: instantIn.nullable().default(null),
      neverTouch: z.boolean().default(false),
    }),
    samples: z.array(sampleBody).max(mostSamples),
    /** A stored policy as `name@version`, or a whole policy; `standard@1` unless given. */
    policy: z.union([text(80), z.record(z.string(), json)]).optional(),
    /** Compares with the past posts of this account. */
    accountId: id.optional(),
    timeZone: z.string().max(64).refine(isTimeZone, 'is not an IANA time zone').default('UTC'),
    /** Actions on this post so far, in their order. */
    history: z
      .array(
        z.strictObject({
          action,
          tier,
          state,
          at: instantIn,
          endedAt: instantIn.nullable().default(null),
        }),
      )
      .max(1000)
      .default([]),
    /** Earlier looks, where the policy asks for several in a row. */
    looks: z
      .array(
        z.strictObject({
          at: instantIn,
          score: z.number().min(0).max(1),
          stalled: z.boolean(),
        }),
      )
      .max(1000)
      .default([]),
    /** The server's time unless given. */
    now: instantIn.optional(),
  })
  .openapi('EvaluateBody')
export type EvaluateBody = z.input<typeof evaluateBody>

/** The original executor's question, in its own words. */
export const classicBody = z
  .strictObject({
    post_id: id,
    metrics: z
      .array(
        z.strictObject({
          timestamp: z.string().max(64),
          impressions: z.number(),
          engagements: z.number(),
        }),
      )
      .max(mostSamples),
    now: z.string().max(64).optional(),
    config: z
      .strictObject({
        per_post_window_minutes: z.number().optional(),
        min_samples_required: z.number().optional(),
        max_actions_per_window: z.number().optional(),
        cooldown_by_action_seconds: z
          .strictObject({
            comment: z.number().optional(),
            edit: z.number().optional(),
            thread: z.number().optional(),
          })
          .optional(),
      })
      .optional(),
  })
  .openapi('ClassicBody')
export type ClassicBody = z.infer<typeof classicBody>

export const classicResult = z
  .union([
    z.object({
      post_id: z.string(),
      eligible: z.literal(true),
      stagnation_score: z.number(),
      tier,
      action_type: action,
      idempotency_key: z.string(),
    }),
    z.object({
      post_id: z.string(),
      eligible: z.literal(false),
      reason: z.literal('insufficient_samples'),
      sample_count: z.number(),
    }),
    z.object({
      post_id: z.string(),
      eligible: z.literal(false),
      reason: z.enum(['duplicate_action', 'window_frequency_exceeded', 'action_cooldown_active']),
      idempotency_key: z.string(),
    }),
  ])
  .openapi('ClassicResult')
export type ClassicResult = z.infer<typeof classicResult>
