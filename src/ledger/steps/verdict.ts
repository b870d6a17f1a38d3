/** Records what a look came to, and when the post is looked at next. */

import type { NewEvent } from '../../core/events.ts'
import type { PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { PostRow, VerdictRow } from '../rows.ts'
import type { Step } from '../store.ts'
import type { LookView } from '../views.ts'

export interface VerdictCommand {
  readonly verdict: Verdict
  readonly nextCheckAt: Instant | null
}

export interface LookCommand extends VerdictCommand {
  readonly postId: PostId
}

/** An event is written only when the answer changes: a quiet post says nothing new all day. */
export function verdictStep(view: LookView, command: VerdictCommand): Step<VerdictRow> {
  const row = toVerdictRow(view.post.id, command.verdict)
  const { latestVerdict: latest, post: before } = view
  // It may have closed since it was looked at, and then it is not looked at again.
  const nextCheckAt = before.status === 'watched' ? command.nextCheckAt : null
  const post: PostRow = { ...before, nextCheckAt }
  const same = latest?.kind === row.kind && latest.reason === row.reason
  const event: NewEvent = {
    type: 'verdict',
    at: view.now,
    accountId: post.accountId,
    postId: post.id,
    actionId: null,
    data: verdictEvent(row),
  }
  return { result: row, changes: { post, verdict: row, events: same ? [] : [event] } }
}

/** What the event about it says. */
export function verdictEvent({ kind, reason, score, policy }: VerdictRow) {
  return { verdict: kind, reason, score, policy }
}

export function toVerdictRow(postId: PostId, verdict: Verdict): VerdictRow {
  const { trace } = verdict
  const scored = verdict.kind === 'insufficient' ? null : verdict.score
  return {
    postId,
    policy: trace.policy,
    at: trace.evidence.lastAt ?? trace.now,
    evaluatedAt: trace.now,
    kind: verdict.kind,
    reason: reasonOf(verdict),
    score: scored,
    stalled: verdict.kind === 'plan' || verdict.kind === 'hold',
    tier: verdict.kind === 'plan' || verdict.kind === 'hold' ? verdict.tier : null,
    until: verdict.kind === 'hold' ? verdict.until : null,
    trace: trace as unknown as Json,
  }
}

function reasonOf(verdict: Verdict): string | null {
  if (verdict.kind === 'hold') return verdict.reason
  return verdict.kind === 'insufficient' ? verdict.lack.reason : null
}
