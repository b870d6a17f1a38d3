/** Owns how an action is told: the row, what can be decided about it, and what goes out. */

import { z } from 'zod'
import type { Fault } from '../../core/fault.ts'
import { splitSegments } from '../../core/segments.ts'
import type { Json } from '../../core/json.ts'
import type { State } from '../../core/states.ts'
import { diffWords } from '../../content/diff.ts'
import type { ActionRow, ApprovalRow, AttemptRow, PostRow, VerdictRow } from '../../ledger/rows.ts'
import type {
  ActionSummary,
  ActionView,
  ApprovalView,
  AttemptView,
  FaultView,
  PossibleDecision,
} from '../schema/action.ts'
import { iso, isoOrNull } from './time.ts'
import { toGuardView, toVerdictView, traceOf } from './verdict.ts'

/** What the rows beside it say about an action. */
export interface ActionSurroundings {
  readonly handle: string
  /** Whether the network can take such an action back. */
  readonly canUndo: boolean
}

export function toActionView(row: ActionRow, around: ActionSurroundings): ActionView {
  return {
    id: row.id,
    key: row.key,
    postId: row.postId,
    accountId: row.accountId,
    platform: row.platform,
    handle: around.handle,
    action: row.action,
    tier: row.tier,
    generation: row.generation,
    state: row.state,
    policy: row.policy,
    score: row.score,
    text: row.text,
    textHash: row.textHash,
    revision: row.revision,
    plannedAt: iso(row.plannedAt),
    expiresAt: iso(row.expiresAt),
    dueAt: isoOrNull(row.dueAt),
    endedAt: isoOrNull(row.endedAt),
    attempts: row.attempts,
    fault: row.fault === null ? null : toFaultView(row.fault),
    undoes: row.undoes,
    url: urlOf(row.outcome),
    possible: possibleFor(row, around.canUndo),
  }
}

export function toFaultView({ landed, code, scope, retryAt, detail }: Fault): FaultView {
  return { landed, code, scope, retryAt: isoOrNull(retryAt), detail }
}

const outcomeWithUrl = z.looseObject({ url: z.string() })

function urlOf(outcome: Json): string | null {
  const parsed = outcomeWithUrl.safeParse(outcome)
  return parsed.success ? parsed.data.url : null
}

const decisions: Readonly<Partial<Record<State, readonly PossibleDecision[]>>> = {
  planned: ['reject', 'revise', 'cancel'],
  awaiting_approval: ['approve', 'reject', 'revise', 'snooze', 'cancel'],
  approved: ['reject', 'cancel'],
  waiting: ['cancel'],
  needs_attention: ['attend'],
  failed: ['retry'],
  expired: ['retry'],
  cancelled: ['retry'],
}

function possibleFor({ state, undoes }: ActionRow, canUndo: boolean): PossibleDecision[] {
  if (state === 'success') return canUndo && undoes === null ? ['undo'] : []
  const list = decisions[state] ?? []
  return list.filter((each) => each !== 'retry' || undoes === null)
}

/** The verdict that planned it is the one with its key. */
export function planOf(row: ActionRow, verdicts: readonly VerdictRow[]): VerdictRow | null {
  return verdicts.find((each) => each.kind === 'plan' && traceOf(each)?.key === row.key) ?? null
}

export function toActionSummary(
  row: ActionRow,
  around: ActionSurroundings,
  post: PostRow | null,
  plan: VerdictRow | null,
): ActionSummary {
  const text = row.text ?? ''
  const before = post?.text ?? null
  const isEdit = row.action === 'edit' && row.undoes === null
  return {
    ...toActionView(row, around),
    post: {
      id: row.postId,
      text: before,
      url: post?.url ?? null,
      publishedAt: iso(post?.publishedAt ?? row.plannedAt),
    },
    segments: row.action === 'thread' ? [...splitSegments(text)] : row.text === null ? [] : [text],
    diff: isEdit && before !== null && row.text !== null ? [...diffWords(before, row.text)] : null,
    why: plan === null ? null : toVerdictView(plan, null).sentence,
    guards: plan === null ? [] : (traceOf(plan)?.guards ?? []).map(toGuardView),
  }
}

/** Without what the connector prepared: it may hold whole records. */
export function toAttemptView(row: AttemptRow): AttemptView {
  return {
    number: row.number,
    segment: row.segment,
    startedAt: iso(row.startedAt),
    endedAt: isoOrNull(row.endedAt),
    result: row.result,
    fault: row.fault === null ? null : toFaultView(row.fault),
    remoteId: row.remoteId,
  }
}

export function toApprovalView(row: ApprovalRow): ApprovalView {
  const { at, decision, by, reason, textHash, policy } = row
  return { at: iso(at), decision, by, reason, textHash, policy }
}
