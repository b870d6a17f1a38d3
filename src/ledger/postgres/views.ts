/** Owns how a step's view comes from the server: what reads it, and what the answer means. */

import type { Action } from '../../core/action.ts'
import type { TallyEntry } from '../../core/history.ts'
import type { ActionId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Look } from '../../core/look.ts'
import type { Interactions, Sample } from '../../core/sample.ts'
import { LedgerError } from '../ledger-error.ts'
import type { Reach } from '../store.ts'
import type { ActionView, ClaimView, DecisionView, PostView } from '../views.ts'
import { readRow } from './columns.ts'
import type { SentRow, Table } from './columns.ts'
import type { Earlier } from './earlier.ts'
import type { Operation } from './operation.ts'
import type { Value } from './pg.ts'
import {
  accountTable,
  actionTable,
  approvalTable,
  attemptTable,
  pauseTable,
  postTable,
} from './tables.ts'

export const lockPost = locker<SentPostView>('lock_post_4', 6)
export const lockClaim = locker<SentClaimView>('lock_claim_3', 6)
export const lockAction = locker<SentActionView>('lock_action_2', 3)

/** Locks and reads for ids in `$1`, with `$2` waiting for who holds them, and the rest as given. */
function locker<View>(name: string, width: number): Operation<View | 'locked' | null> {
  const rest = Array.from({ length: width }, (_, index) => `$${index + 3}`).join(', ')
  return {
    name,
    text: (s) => `select ${s}.${name}(v.id, $2::bool, ${rest}) from unnest($1::text[]) as v (id)`,
  }
}

export function reachValues(reach: Reach): Value[] {
  const { samplesMs, looksMs, accountMs, accountLimit, platformMs } = reach
  return [samplesMs, looksMs, accountMs, accountLimit, platformMs]
}

type Sent<Item> = readonly Item[] | null
export type SentSample = readonly [Instant, number | null, number, Interactions | null]
export type SentLook = readonly [Instant, string, number, boolean]

/** In the order of the functions that read it. */
type SentDecision = [
  now: Instant,
  account: SentRow,
  post: SentRow,
  actions: Sent<SentRow>,
  incidents: Sent<readonly [ActionId, Instant]>,
  ownReplies: Sent<Instant>,
  samples: Sent<SentSample>,
  looks: Sent<SentLook>,
  accountTally: Sent<readonly [Instant, ActionId]>,
  platformTally: Sent<Instant>,
  withoutLift: Readonly<Partial<Record<Action, number>>> | null,
  pauses: Sent<SentRow>,
]

/** What is reserved is sent only where the post is locked. */
export type SentPostView = readonly [...SentDecision, accountReserved?: Sent<Instant>]
/** With the attempts of the action that is claimed, and what people decided about it. */
export type SentClaimView = readonly [
  ...SentDecision,
  attempts: Sent<SentRow>,
  approvals: Sent<SentRow>,
]

export type SentActionView = readonly [
  now: Instant,
  account: SentRow,
  post: SentRow,
  action: SentRow,
  attempts: Sent<SentRow>,
  pauses: Sent<SentRow>,
  platformTally: Sent<Instant>,
  approvals: Sent<SentRow>,
]

/** What others in the same transaction did is added; they read at the same time. */
export function toPostView(sent: SentPostView, earlier: Earlier): PostView {
  const view = toDecisionView(sent, earlier)
  const reserved = [...earlier.reservedBy(view.account.id), ...(sent[12] ?? [])]
  return { ...view, accountReserved: reserved.sort((a, b) => a - b) }
}

function toDecisionView(sent: SentPostView | SentClaimView, earlier: Earlier): DecisionView {
  const [now, sentAccount, post, actions, incidents, ownReplies, samples, looks, ...rest] = sent
  const [accountTally, platformTally, withoutLift, pauses] = rest
  const account = readRow(accountTable, sentAccount)
  return {
    now,
    account,
    post: readRow(postTable, post),
    actions: readRows(actionTable, actions),
    incidents: (incidents ?? []).map(([actionId, at]) => ({ actionId, at })),
    ownReplies: ownReplies ?? [],
    samples: (samples ?? []).map(toSample),
    looks: (looks ?? []).map(toLook),
    accountTally: [...earlier.claimsOf(account.id), ...(accountTally ?? []).map(toClaim)],
    platformTally: toTally(platformTally),
    withoutLift: withoutLift ?? {},
    pauses: readRows(pauseTable, pauses),
  }
}

export function toClaimView(sent: SentClaimView, id: ActionId, earlier: Earlier): ClaimView {
  const view = toDecisionView(sent, earlier)
  const action = view.actions.find((row) => row.id === id)
  if (action === undefined) throw new LedgerError('damaged', `Action ${id} is on no post`)
  return {
    ...view,
    action,
    attempts: readRows(attemptTable, sent[12]),
    approvals: readRows(approvalTable, sent[13]),
  }
}

export type ActionViewWithTally = readonly [ActionView, readonly TallyEntry[]]

export function toActionView(sent: SentActionView, earlier: Earlier): ActionViewWithTally {
  const [now, account, post, action, attempts, pauses, platformTally, approvals] = sent
  const view: ActionView = {
    now,
    account: readRow(accountTable, account),
    post: readRow(postTable, post),
    action: readRow(actionTable, action),
    attempts: readRows(attemptTable, attempts),
    pauses: readRows(pauseTable, pauses),
    approvals: readRows(approvalTable, approvals),
  }
  return [view, [...toTally(platformTally), ...earlier.attemptsOn(view.action.platform)]]
}

function toClaim([at, actionId]: readonly [Instant, ActionId]) {
  return { at, count: 1, actionId }
}

function toTally(times: Sent<Instant>): readonly TallyEntry[] {
  return (times ?? []).map((at) => ({ at, count: 1 }))
}

function readRows<Row>(table: Table<Row>, sent: Sent<SentRow>): readonly Row[] {
  return (sent ?? []).map((row) => readRow(table, row))
}

/** A reading without interactions has no such field. */
export function toSample([at, impressions, engagements, interactions]: SentSample): Sample {
  const sample = { at, impressions, engagements }
  return interactions === null ? sample : { ...sample, interactions }
}

export function toLook([at, policy, score, stalled]: SentLook): Look {
  return { at, policy, score, stalled }
}
