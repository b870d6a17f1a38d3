/** Owns which field of a row is kept in which column. Migrations must agree; a test compares. */

import type { EventType } from '../../core/events.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { Interactions } from '../../core/sample.ts'
import type { AuditEntry } from '../audit.ts'
import type {
  AccountRow,
  ActionRow,
  ApprovalRow,
  AttemptRow,
  CurveRow,
  IncidentRow,
  MeasurementRow,
  OwnReplyRow,
  PauseRow,
  PostRow,
  VerdictRow,
} from '../rows.ts'
import type { ShelfItem } from '../shelf.ts'
import { defineTable } from './columns.ts'

export const accounts = defineTable<AccountRow>('accounts', {
  id: 'text',
  platform: 'text',
  handle: 'text',
  mode: 'text',
  timeZone: 'text',
  policy: 'text',
  holdoutShare: 'real',
  credentials: 'text',
  status: 'text',
  statusReason: 'text',
  createdAt: 'real',
  discoverAt: 'real',
  profile: 'json',
})

export const posts = defineTable<PostRow>('posts', {
  id: 'text',
  accountId: 'text',
  platform: 'text',
  remoteId: 'text',
  url: 'text',
  text: 'text',
  contentVersion: 'text',
  publishedAt: 'real',
  status: 'text',
  neverTouch: 'flag',
  arm: 'text',
  propensity: 'real',
  nextCheckAt: 'real',
  trackedAt: 'real',
  closedAt: 'real',
})

/** A reading, without the post that its key begins with. */
export interface SampleRow {
  readonly at: Instant
  readonly impressions: number | null
  readonly engagements: number
  readonly interactions: Interactions | null
}

export const samples = defineTable<SampleRow>('samples', {
  at: 'real',
  impressions: 'real',
  engagements: 'real',
  interactions: 'json',
})

export const actions = defineTable<ActionRow>('actions', {
  id: 'text',
  key: 'text',
  postId: 'text',
  accountId: 'text',
  platform: 'text',
  action: 'text',
  tier: 'text',
  generation: 'integer',
  state: 'text',
  policy: 'text',
  score: 'real',
  text: 'text',
  textHash: 'text',
  revision: 'integer',
  plannedAt: 'real',
  expiresAt: 'real',
  noticeAt: 'real',
  dueAt: 'real',
  token: 'text',
  leaseUntil: 'real',
  firstClaimedAt: 'real',
  attempts: 'integer',
  mayLandUntil: 'real',
  endedAt: 'real',
  outcome: 'json',
  fault: 'json',
  undoes: 'text',
  version: 'integer',
})

export const attempts = defineTable<AttemptRow>('attempts', {
  id: 'text',
  actionId: 'text',
  platform: 'text',
  number: 'integer',
  segment: 'integer',
  token: 'text',
  startedAt: 'real',
  deadlineAt: 'real',
  endedAt: 'real',
  result: 'text',
  fault: 'json',
  prepared: 'json',
  remoteId: 'text',
})

export const verdicts = defineTable<VerdictRow>('verdicts', {
  postId: 'text',
  policy: 'text',
  at: 'real',
  evaluatedAt: 'real',
  kind: 'text',
  reason: 'text',
  score: 'real',
  stalled: 'flag',
  tier: 'text',
  until: 'json',
  trace: 'json',
})

export const approvals = defineTable<ApprovalRow>('approvals', {
  actionId: 'text',
  at: 'real',
  decision: 'text',
  by: 'text',
  reason: 'text',
  textHash: 'text',
  policy: 'text',
})

export const incidents = defineTable<IncidentRow>('incidents', {
  actionId: 'text',
  at: 'real',
  kind: 'text',
  detail: 'json',
})

export const measurements = defineTable<MeasurementRow>('measurements', {
  postId: 'text',
  horizonMs: 'real',
  dueAt: 'real',
  takenAt: 'real',
  gain: 'real',
  detail: 'json',
})

export const curves = defineTable<CurveRow>('curves', {
  postId: 'text',
  accountId: 'text',
  platform: 'text',
  maturedAt: 'real',
  weight: 'real',
  points: 'json',
})

export const pauses = defineTable<PauseRow>('pauses', {
  scope: 'text',
  target: 'text',
  since: 'real',
  until: 'real',
  reason: 'text',
  by: 'text',
})

export const ownReplies = defineTable<OwnReplyRow>('own_replies', {
  postId: 'text',
  remoteId: 'text',
  at: 'real',
})

/** An event as a row; which data belongs to which type is the core's to say. */
export interface EventRow {
  readonly seq: number
  readonly at: Instant
  readonly type: EventType
  readonly accountId: string | null
  readonly postId: string | null
  readonly actionId: string | null
  readonly data: Json
}

export const events = defineTable<EventRow>('events', {
  seq: 'integer',
  at: 'real',
  type: 'text',
  accountId: 'text',
  postId: 'text',
  actionId: 'text',
  data: 'json',
})

export const items = defineTable<ShelfItem>('items', {
  id: 'text',
  value: 'json',
  version: 'integer',
})

export const audit = defineTable<AuditEntry>('audit', {
  number: 'integer',
  seq: 'integer',
  hash: 'text',
})
