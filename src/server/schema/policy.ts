/** Owns policies: what will it do? Versions are added and never changed. */

import { z } from '@hono/zod-openapi'
import type { Policy } from '../../core/policy.ts'
import { action, id, instant, json, tier, text } from './fields.ts'

/** A whole policy as data. It is checked by the core, whose error names the field. */
export const policyData: z.ZodType<Policy> = z
  .custom<Policy>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'must be an object: a whole policy',
  })
  .openapi('PolicyData', { type: 'object', description: 'A whole policy; see docs/policies' })

export const policyView = z
  .object({
    /** As `name@version`. */
    id: z.string(),
    name: z.string(),
    version: z.number(),
    /** Accounts that have it in force. */
    accountIds: z.array(z.string()),
  })
  .openapi('Policy')
export type PolicyView = z.infer<typeof policyView>

export const policyList = z.object({ items: z.array(policyView) }).openapi('PolicyList')

export const policyDetail = policyView.extend({ policy: policyData }).openapi('PolicyDetail')
export type PolicyDetail = z.infer<typeof policyDetail>

export const policyBody = z
  .strictObject({ policy: z.record(z.string(), json) })
  .openapi('PolicyBody')
export type PolicyBody = z.infer<typeof policyBody>

export const policyCheck = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('valid'), id: z.string() }),
    z.object({ kind: z.literal('invalid'), field: z.string(), problem: z.string() }),
  ])
  .openapi('PolicyCheck')
export type PolicyCheck = z.infer<typeof policyCheck>

export const mostDryRunPosts = 1000

export const dryRunBody = z
  .strictObject({
    /** A stored one as `name@version`, or a whole policy. */
    policy: z.union([text(80), z.record(z.string(), json)]),
    /** One account alone; all of them where it is left out. */
    accountId: id.optional(),
    /** How far back posts are taken, newest first, up to 1,000 of them. */
    days: z.number().int().min(1).max(90).default(14),
  })
  .openapi('DryRunBody')
export type DryRunBody = z.input<typeof dryRunBody>

const share = z.object({
  count: z.number(),
  of: z.number(),
  share: z.number().nullable(),
})

const replayedAction = z.object({
  at: instant,
  ageMs: z.number(),
  action,
  tier,
  score: z.number(),
})

const dryRunReport = z.object({
  policy: z.string(),
  posts: z.number(),
  looks: z.number(),
  neverScored: z.number(),
  actions: z.number(),
  byAction: z.object({ comment: z.number(), edit: z.number(), thread: z.number() }),
  byTier: z.object({ tier_1: z.number(), tier_2: z.number(), tier_3: z.number() }),
  actedOn: share,
  medianFirstAgeMs: z.number().nullable(),
  precision: share,
  healthyBothered: share,
  stagnantReached: share,
  reasons: z.record(z.string(), z.number()),
})

export const dryRunView = z
  .object({
    from: instant,
    /** There were more posts than are replayed at once; these are the newest. */
    more: z.boolean(),
    report: dryRunReport,
    /** The same posts under the policy in force, where one account was given. */
    inForce: dryRunReport.nullable(),
    /** What would have been done, by post, newest post first. */
    outcomes: z.array(
      z.object({
        postId: z.string(),
        publishedAt: instant,
        text: z.string().nullable(),
        actions: z.array(replayedAction),
      }),
    ),
  })
  .openapi('DryRun')
export type DryRunView = z.infer<typeof dryRunView>
