/** Owns posts: which stall, why this state, and did we help? */

import { z } from '@hono/zod-openapi'
import { actionKindView, actionView } from './action.ts'
import {
  action,
  id,
  instant,
  instantIn,
  orNull,
  pageOf,
  pageQuery,
  state,
  text,
  until,
  webAddress,
  yesOrNo,
} from './fields.ts'
import { bandPoint } from './lift.ts'
import { sampleView } from './sample.ts'
import { latestVerdict, verdictKind, verdictView } from './verdict.ts'

export const postView = z
  .object({
    id: z.string(),
    accountId: z.string(),
    platform: z.string(),
    /** The network's id. */
    remoteId: z.string(),
    url: z.string().nullable(),
    /** Null after its account was erased. */
    text: z.string().nullable(),
    publishedAt: instant,
    status: z.enum(['watched', 'closed', 'gone']),
    neverTouch: z.boolean(),
    /** Whether it is among those acted on or held out; null until drawn. */
    arm: z.enum(['act', 'holdout']).nullable(),
    nextCheckAt: instant.nullable(),
    trackedAt: instant,
    closedAt: instant.nullable(),
  })
  .openapi('Post')
export type PostView = z.infer<typeof postView>

export const postSummary = postView
  .extend({
    latest: orNull(latestVerdict),
    newestSample: orNull(sampleView),
    /** Engagements over time, at most 24 points, the oldest first. */
    sparkline: z.array(z.object({ at: instant, engagements: z.number() })),
    /** The open action or, where none is open, the latest. */
    action: z.object({ id: z.string(), action: actionKindView, state }).nullable(),
  })
  .openapi('PostSummary')
export type PostSummary = z.infer<typeof postSummary>

export const postPage = pageOf(postSummary, 'PostPage')
export type PostPage = z.infer<typeof postPage>

export const postQuery = z.object({
  ...pageQuery,
  accountId: id.optional(),
  platform: z.string().max(64).optional(),
  status: z.enum(['watched', 'closed', 'gone']).optional(),
  /** What the latest look came to. */
  verdict: verdictKind.optional(),
  neverTouch: yesOrNo.optional(),
  /** Part of the text, in any case. */
  text: text(200).min(1).optional(),
})

export const newPostBody = z
  .strictObject({
    accountId: id,
    remoteId: id,
    url: webAddress.nullable().default(null),
    text: text(100_000).nullable().default(null),
    publishedAt: instantIn,
  })
  .openapi('NewPostBody')
export type NewPostBody = z.input<typeof newPostBody>

export const measurementView = z
  .object({
    horizonMs: z.number(),
    dueAt: instant,
    takenAt: instant.nullable(),
    /** Engagements gained since the arm was drawn, the action's own left out. */
    gain: z.number().nullable(),
  })
  .openapi('Measurement')
export type MeasurementView = z.infer<typeof measurementView>

/** When something can be done next, and for which reason not before. */
export const nextPossible = z
  .object({
    until,
    /** "Did nothing because …, next possible at …", as one sentence. */
    sentence: z.string(),
  })
  .openapi('NextPossible')
export type NextPossible = z.infer<typeof nextPossible>

/** Everything the screen of one post shows. */
export const postDetail = postView
  .extend({
    handle: z.string(),
    /** The policy in force. */
    policy: z.string(),
    samples: z.array(sampleView),
    /** How the account's past posts stood at each age; empty where too few are known. */
    band: z.array(bandPoint),
    /** Newest first. */
    verdicts: z.array(verdictView),
    /** In the order they were planned. */
    actions: z.array(actionView),
    measurements: z.array(measurementView),
    /** Null where nothing stands in the way, or nothing is wrong. */
    nextPossible: orNull(nextPossible),
  })
  .openapi('PostDetail')
export type PostDetail = z.infer<typeof postDetail>

export const neverTouchBody = z.strictObject({ on: z.boolean() }).openapi('NeverTouchBody')
export type NeverTouchBody = z.infer<typeof neverTouchBody>

/** What would be decided now. Nothing is stored. */
export const evaluationView = z
  .object({
    verdict: verdictView,
    action: orNull(action),
    /** The key the plan would have. */
    key: z.string().nullable(),
  })
  .openapi('Evaluation')
export type EvaluationView = z.infer<typeof evaluationView>
