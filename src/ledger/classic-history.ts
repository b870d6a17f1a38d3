/** Owns the exchange with the classic executor's history file: its records to rows, and back. */

import { z } from 'zod'
import { actions, tiers } from '../core/action.ts'
import { dayMs } from '../core/duration.ts'
import type { Fault } from '../core/fault.ts'
import { isFaultCode } from '../core/fault.ts'
import { toActionId, toActionKey, toPostId } from '../core/ids.ts'
import { parseWith } from '../core/input-error.ts'
import { formatInstant, parseInstant } from '../core/instant.ts'
import type { Instant } from '../core/instant.ts'
import type { Json } from '../core/json.ts'
import type { State } from '../core/states.ts'
import type { AccountRow, ActionRow, PostRow } from './rows.ts'
import { hashText } from './steps/plan.ts'

/** Taken as it is: a copy made field by field would lose one that is called `__proto__`. */
const anyJson = z.custom<Json>((value) => z.json().safeParse(value).success, 'must be JSON')

const recordSchema = z.object({
  idempotency_key: z.string().min(1),
  post_id: z.string(),
  action_type: z.enum(actions),
  tier: z.enum(tiers),
  initiated_at: z.string(),
  status: z.string(),
  attempts: z.int().positive().default(1),
  outcome: anyJson.default(null),
  error_code: z.string().nullable().default(null),
})

/** A record as the classic executor writes it. */
export type ClassicRecord = z.infer<typeof recordSchema>

/** Checks them all, so that a bad one is refused by its name before anything is written. */
export function parseClassicRecords(given: readonly unknown[]): readonly ClassicRecord[] {
  return given.map((value, index) => {
    const record = parseWith(recordSchema, value, `history[${index}]`)
    toPostId(record.post_id, `history[${index}].post_id`)
    toActionId(importedId(record), `history[${index}].idempotency_key`)
    parseInstant(record.initiated_at, `history[${index}].initiated_at`)
    return record
  })
}

function importedId(record: ClassicRecord): string {
  return `classic:${record.idempotency_key}`
}

/** The post of a record, as far as the record knows it. It is not watched: it has no remote id. */
export function toImportedPost(record: ClassicRecord, account: AccountRow, now: Instant): PostRow {
  const id = toPostId(record.post_id)
  return {
    id,
    accountId: account.id,
    platform: account.platform,
    remoteId: id,
    url: null,
    text: null,
    contentVersion: null,
    publishedAt: parseInstant(record.initiated_at, 'history.initiated_at'),
    status: 'watched',
    neverTouch: false,
    arm: null,
    propensity: null,
    nextCheckAt: null,
    trackedAt: now,
    closedAt: null,
  }
}

/**
 * What was running there may have landed, so it is unknown here and has to be reconciled. A post
 * has one open action, so of several that were running the others are taken as landed.
 */
export function toImportedAction(
  record: ClassicRecord,
  account: AccountRow,
  now: Instant,
  mayBeOpen: boolean,
): ActionRow {
  const at = parseInstant(record.initiated_at, 'history.initiated_at')
  const state = importedState(record.status, mayBeOpen)
  const isOpen = state === 'unknown'
  return {
    id: toActionId(importedId(record)),
    key: toActionKey(record.idempotency_key),
    postId: toPostId(record.post_id),
    accountId: account.id,
    platform: account.platform,
    action: record.action_type,
    tier: record.tier,
    generation: 0,
    state,
    policy: 'classic@1',
    score: 1,
    text: null,
    textHash: hashText(''),
    revision: 1,
    plannedAt: at,
    expiresAt: at + dayMs,
    noticeAt: null,
    dueAt: isOpen ? now : null,
    token: null,
    leaseUntil: null,
    firstClaimedAt: at,
    attempts: record.attempts,
    mayLandUntil: state === 'failed' ? null : at,
    endedAt: isOpen ? null : at,
    outcome: {
      classic: { status: record.status, outcome: record.outcome, code: record.error_code },
    },
    fault: record.error_code === null ? null : toFault(record.error_code),
    undoes: null,
    version: 1,
  }
}

function importedState(status: string, mayBeOpen: boolean): State {
  if (status === 'running') return mayBeOpen ? 'unknown' : 'success'
  return status === 'success' ? 'success' : 'failed'
}

function toFault(code: string): Fault {
  return {
    landed: 'no',
    code: isFaultCode(code) ? code : 'other',
    scope: 'request',
    retryAt: null,
    detail: `classic error_code ${code}`,
  }
}

/**
 * In the order in which they were begun, because the classic executor takes the last in the file
 * for the last in time.
 */
export function toClassicRecords(rows: readonly ActionRow[]): readonly ClassicRecord[] {
  return rows
    .toSorted((a, b) => (a.firstClaimedAt ?? 0) - (b.firstClaimedAt ?? 0))
    .map(toClassicRecord)
    .filter((record) => record !== null)
}

/** What was never begun, and what only takes another back, the classic executor does not know. */
function toClassicRecord(row: ActionRow): ClassicRecord | null {
  if (row.firstClaimedAt === null || row.undoes !== null) return null
  const imported = classicPart(row.outcome)
  return {
    idempotency_key: row.key,
    post_id: row.postId,
    action_type: row.action,
    tier: row.tier,
    initiated_at: formatInstant(row.mayLandUntil ?? row.firstClaimedAt),
    status: imported !== null && row.version === 1 ? imported.status : statusOf(row.state),
    attempts: Math.max(1, row.attempts),
    outcome: imported === null ? row.outcome : imported.outcome,
    error_code: imported === null ? (row.fault?.code ?? null) : imported.code,
  }
}

const importedOutcome = z.object({
  classic: z.object({
    status: z.string(),
    outcome: anyJson,
    code: z.string().nullable(),
  }),
})

function classicPart(outcome: Json): z.infer<typeof importedOutcome>['classic'] | null {
  const parsed = importedOutcome.safeParse(outcome)
  return parsed.success ? parsed.data.classic : null
}

/** What may still land, or may have, counts there as running: it must not be sent again. */
function statusOf(state: State): string {
  if (state === 'success') return 'success'
  return state === 'running' || state === 'unknown' || state === 'needs_attention'
    ? 'running'
    : 'failed'
}
