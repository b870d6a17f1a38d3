/** Owns actions: may this go out, and what exactly happened? */

import { z } from '@hono/zod-openapi'
import { actions } from '../../core/action.ts'
import { faultCodes } from '../../core/fault.ts'
import {
  action,
  duration,
  id,
  instant,
  json,
  oneOrMore,
  orNull,
  pageOf,
  pageQuery,
  state,
  text,
  tier,
  webAddress,
} from './fields.ts'

export const actionKindView = z.enum(actions)

export const faultView = z
  .object({
    landed: z.enum(['no', 'unknown']),
    code: z.enum(faultCodes),
    scope: z.enum(['request', 'post', 'account', 'platform']),
    retryAt: instant.nullable(),
    detail: z.string(),
  })
  .openapi('Fault')
export type FaultView = z.infer<typeof faultView>

/** What can be done about an action as it stands now. */
const possible = z.enum([
  'approve',
  'reject',
  'revise',
  'snooze',
  'cancel',
  'attend',
  'undo',
  'retry',
])
export type PossibleDecision = z.infer<typeof possible>

export const actionView = z
  .object({
    id: z.string(),
    key: z.string(),
    postId: z.string(),
    accountId: z.string(),
    platform: z.string(),
    handle: z.string(),
    action,
    tier,
    generation: z.number(),
    state,
    /** The policy it was planned under. */
    policy: z.string(),
    score: z.number(),
    /** A thread's posts stand in one text, with a line of three hyphens between two of them. */
    text: z.string().nullable(),
    /** Give it back with an approval: it is bound to the text that was shown. */
    textHash: z.string(),
    revision: z.number(),
    plannedAt: instant,
    expiresAt: instant,
    /** When its next step is due. Null once it has ended. */
    dueAt: instant.nullable(),
    endedAt: instant.nullable(),
    attempts: z.number(),
    fault: orNull(faultView),
    /** The action that this one takes back. */
    undoes: z.string().nullable(),
    /** Where it can be seen. */
    url: z.string().nullable(),
    possible: z.array(possible),
  })
  .openapi('Action')
export type ActionView = z.infer<typeof actionView>

const diffRun = z.object({ kind: z.enum(['kept', 'added', 'removed']), text: z.string() })

/** An action as the inbox shows it: with the post it is for and what an edit changes. */
export const actionSummary = actionView
  .extend({
    post: z.object({
      id: z.string(),
      text: z.string().nullable(),
      url: z.string().nullable(),
      publishedAt: instant,
    }),
    /** The text by posts: several for a thread. */
    segments: z.array(z.string()),
    /** For an edit, word by word. */
    diff: z.array(diffRun).nullable(),
    /** The sentence of the verdict that planned it; null where it is not stored any more. */
    why: z.string().nullable(),
    guards: z.array(
      z.object({ guard: z.string(), kind: z.enum(['pass', 'hold']), sentence: z.string() }),
    ),
  })
  .openapi('ActionSummary')
export type ActionSummary = z.infer<typeof actionSummary>

export const actionPage = pageOf(actionSummary, 'ActionPage')
export type ActionPage = z.infer<typeof actionPage>

export const actionQuery = z.object({
  ...pageQuery,
  accountId: id.optional(),
  postId: id.optional(),
  state: oneOrMore(state),
  action: action.optional(),
  platform: z.string().max(64).optional(),
})

/** One step of an action's life, the oldest first. */
export const timelineEntry = z
  .object({
    at: instant,
    kind: z.enum([
      'planned',
      'guards',
      'approval',
      'change',
      'attempt',
      'attempt_ended',
      'measured',
      'incident',
      'notice',
    ]),
    /** What happened, in words. */
    sentence: z.string(),
    /** Who did it, where it was a person or a program of theirs. */
    by: z.string().nullable(),
    /** `good`, `bad` or `open`, for those who look rather than read. */
    tone: z.enum(['good', 'bad', 'open', 'plain']),
  })
  .openapi('TimelineEntry')
export type TimelineEntry = z.infer<typeof timelineEntry>

export const attemptView = z
  .object({
    number: z.number(),
    segment: z.number(),
    startedAt: instant,
    endedAt: instant.nullable(),
    result: z.enum(['pending', 'landed', 'not_landed', 'unknown']),
    fault: orNull(faultView),
    remoteId: z.string().nullable(),
  })
  .openapi('Attempt')
export type AttemptView = z.infer<typeof attemptView>

export const approvalView = z
  .object({
    at: instant,
    decision: z.enum(['approved', 'rejected', 'revised', 'snoozed', 'cancelled', 'attended']),
    by: z.string(),
    reason: z.string().nullable(),
    textHash: z.string(),
    policy: z.string(),
  })
  .openapi('Approval')
export type ApprovalView = z.infer<typeof approvalView>

export const actionDetail = actionSummary
  .extend({
    timeline: z.array(timelineEntry),
    attemptRows: z.array(attemptView),
    approvals: z.array(approvalView),
    measurements: z.array(
      z.object({
        horizonMs: z.number(),
        dueAt: instant,
        takenAt: instant.nullable(),
        gain: z.number().nullable(),
      }),
    ),
    outcome: json,
    /** The rows that take this one back. */
    undoneBy: z.array(z.object({ id: z.string(), state })),
  })
  .openapi('ActionDetail')
export type ActionDetail = z.infer<typeof actionDetail>

const textHash = z.string().min(1).max(128)
const newText = text(100_000).min(1)

export const approveBody = z
  .strictObject({
    textHash,
    /** Replaces the text and is approved with it. */
    text: newText.optional(),
  })
  .openapi('ApproveBody')
export type ApproveBody = z.infer<typeof approveBody>

export const reasonBody = z.strictObject({ reason: text(1000).default('') }).openapi('ReasonBody')
export type ReasonBody = z.input<typeof reasonBody>

export const reviseBody = z.strictObject({ textHash, text: newText }).openapi('ReviseBody')
export type ReviseBody = z.infer<typeof reviseBody>

export const snoozeBody = z.strictObject({ forMs: duration }).openapi('SnoozeBody')
export type SnoozeBody = z.infer<typeof snoozeBody>

/** What a person found out about an action that nobody else could tell of. */
export const attendBody = z
  .strictObject({
    landed: z.boolean(),
    url: webAddress.nullable().default(null),
  })
  .openapi('AttendBody')
export type AttendBody = z.input<typeof attendBody>

/** A failed action is never sent again: its post is looked at anew, and guards decide. */
export const retried = z
  .object({ postId: z.string(), nextCheckAt: instant, sentence: z.string() })
  .openapi('Retried')
export type Retried = z.infer<typeof retried>

const bulkFilter = z.strictObject({
  accountId: id.optional(),
  platform: z.string().max(64).optional(),
  action: action.optional(),
  tier: tier.optional(),
  ids: z.array(id).min(1).max(500).optional(),
})

/**
 * Decides on all that await approval and match. Without a digest it only says what matches; the
 * digest of that answer says that these very texts were seen.
 */
export const bulkBody = z
  .strictObject({
    filter: bulkFilter,
    decision: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('approve') }),
      z.strictObject({ kind: z.literal('reject'), reason: text(1000).default('') }),
    ]),
    digest: z.string().max(128).optional(),
  })
  .openapi('BulkBody')
export type BulkBody = z.input<typeof bulkBody>

export const bulkResult = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('preview'),
      digest: z.string(),
      matched: z.array(z.object({ id: z.string(), textHash: z.string() })),
      /** More match than are decided on at once. */
      more: z.boolean(),
    }),
    z.object({
      kind: z.literal('done'),
      results: z.array(
        z.object({
          id: z.string(),
          result: z.enum(['done', 'text_changed', 'wrong_state']),
          state,
        }),
      ),
    }),
  ])
  .openapi('BulkResult')
export type BulkResult = z.infer<typeof bulkResult>
