/** The tables whose rows are written and read whole, with a kind for every field. */

import type { NewEvent } from '../../core/events.ts'
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
import type { PostContent } from '../store.ts'
import { defineTable, pick } from './columns.ts'

export const accountTable = defineTable<AccountRow>('accounts', {
  id: 'text',
  platform: 'text',
  handle: 'text',
  mode: 'text',
  timeZone: 'text',
  policy: 'text',
  holdoutShare: 'float8',
  credentials: 'text',
  status: 'text',
  statusReason: 'text',
  createdAt: 'float8',
  discoverAt: 'float8',
  profile: 'json',
})

export const postTable = defineTable<PostRow>('posts', {
  id: 'text',
  accountId: 'text',
  platform: 'text',
  remoteId: 'text',
  url: 'text',
  text: 'text',
  contentVersion: 'text',
  publishedAt: 'float8',
  status: 'text',
  neverTouch: 'bool',
  arm: 'text',
  propensity: 'float8',
  nextCheckAt: 'float8',
  trackedAt: 'float8',
  closedAt: 'float8',
})

/** What an edit changes of a post. */
export const postContentTable = defineTable<PostContent>('posts', {
  postId: 'text',
  remoteId: 'text',
  contentVersion: 'text',
  text: 'text',
})

export const actionTable = defineTable<ActionRow>('actions', {
  id: 'text',
  key: 'text',
  postId: 'text',
  accountId: 'text',
  platform: 'text',
  action: 'text',
  tier: 'text',
  generation: 'int4',
  state: 'text',
  policy: 'text',
  score: 'float8',
  text: 'text',
  textHash: 'text',
  revision: 'int4',
  plannedAt: 'float8',
  expiresAt: 'float8',
  noticeAt: 'float8',
  dueAt: 'float8',
  token: 'text',
  leaseUntil: 'float8',
  firstClaimedAt: 'float8',
  attempts: 'int4',
  mayLandUntil: 'float8',
  endedAt: 'float8',
  outcome: 'json',
  fault: 'json',
  undoes: 'text',
  version: 'int4',
})

/** What an action is about; none of it ever changes. */
export const fixedActionFields = [
  'id',
  'key',
  'postId',
  'accountId',
  'platform',
  'action',
  'tier',
  'generation',
  'policy',
  'score',
  'plannedAt',
  'undoes',
] as const satisfies readonly (keyof ActionRow)[]

/** What becomes of it. */
export const actionStateTable = pick(actionTable, [
  'id',
  'state',
  'text',
  'textHash',
  'revision',
  'expiresAt',
  'noticeAt',
  'dueAt',
  'token',
  'leaseUntil',
  'firstClaimedAt',
  'attempts',
  'mayLandUntil',
  'endedAt',
  'outcome',
  'fault',
  'version',
])

export const attemptTable = defineTable<AttemptRow>('attempts', {
  id: 'text',
  actionId: 'text',
  platform: 'text',
  number: 'int4',
  segment: 'int4',
  token: 'text',
  startedAt: 'float8',
  deadlineAt: 'float8',
  endedAt: 'float8',
  result: 'text',
  fault: 'json',
  prepared: 'json',
  remoteId: 'text',
})

/** What a send came to; the rest of an attempt never changes. */
export const attemptResultTable = pick(attemptTable, [
  'id',
  'endedAt',
  'result',
  'fault',
  'remoteId',
])

export const verdictFields = {
  postId: 'text',
  policy: 'text',
  at: 'float8',
  evaluatedAt: 'float8',
  kind: 'text',
  reason: 'text',
  score: 'float8',
  stalled: 'bool',
  tier: 'text',
  until: 'json',
  trace: 'json',
} as const

export const verdictTable = defineTable<VerdictRow>('verdicts', verdictFields)

export const approvalTable = defineTable<ApprovalRow>('approvals', {
  actionId: 'text',
  at: 'float8',
  decision: 'text',
  by: 'text',
  reason: 'text',
  textHash: 'text',
  policy: 'text',
})

export const incidentTable = defineTable<IncidentRow>('incidents', {
  actionId: 'text',
  at: 'float8',
  kind: 'text',
  detail: 'json',
})

export const measurementTable = defineTable<MeasurementRow>('measurements', {
  postId: 'text',
  horizonMs: 'float8',
  dueAt: 'float8',
  takenAt: 'float8',
  gain: 'float8',
  detail: 'json',
})

export const curveTable = defineTable<CurveRow>('curves', {
  postId: 'text',
  accountId: 'text',
  platform: 'text',
  maturedAt: 'float8',
  weight: 'float8',
  points: 'json',
})

export const pauseTable = defineTable<PauseRow>('pauses', {
  scope: 'text',
  target: 'text',
  since: 'float8',
  until: 'float8',
  reason: 'text',
  by: 'text',
})

export const ownReplyTable = defineTable<OwnReplyRow>('own_replies', {
  postId: 'text',
  remoteId: 'text',
  at: 'float8',
})

/** An event as it is written; which transaction wrote it, and its number, the server adds. */
export const eventTable = defineTable<Pick<NewEvent, keyof NewEvent>>('events', {
  at: 'float8',
  type: 'text',
  accountId: 'text',
  postId: 'text',
  actionId: 'text',
  data: 'json',
})
