/** Owns the story of one action: plan, guards, approval, sends, reconcile, measure, in order. */

import type { LedgerEvent } from '../../core/events.ts'
import type { Instant } from '../../core/instant.ts'
import { formatDuration, formatScore, plural } from '../../core/wording.ts'
import type {
  ActionRow,
  ApprovalRow,
  AttemptRow,
  MeasurementRow,
  VerdictRow,
} from '../../ledger/rows.ts'
import type { TimelineEntry } from '../schema/action.ts'
import { tell } from './event.ts'
import { iso } from './time.ts'
import { traceOf } from './verdict.ts'

export interface StoryParts {
  readonly action: ActionRow
  readonly plan: VerdictRow | null
  readonly approvals: readonly ApprovalRow[]
  readonly attempts: readonly AttemptRow[]
  readonly measurements: readonly MeasurementRow[]
  /** About this action, in any order. */
  readonly events: readonly LedgerEvent[]
}

type Entry = Omit<TimelineEntry, 'at'> & { readonly at: Instant }

export function toTimeline(parts: StoryParts): TimelineEntry[] {
  const entries = [
    ...tellPlan(parts),
    ...parts.approvals.map(tellApproval),
    ...parts.attempts.flatMap(tellAttempt),
    // At one instant their numbers tell what came first.
    ...parts.events.toSorted((a, b) => a.seq - b.seq).flatMap(tellChange),
    ...parts.measurements.flatMap(tellMeasurement),
  ]
  return entries
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, kind, sentence, by, tone }) => ({ at: iso(at), kind, sentence, by, tone }))
}

function tellPlan({ action, plan: verdict }: StoryParts): readonly Entry[] {
  const at = action.plannedAt
  if (action.undoes !== null) {
    return [entry(at, 'planned', `Planned to take back the action ${action.undoes}.`)]
  }
  const score = formatScore(action.score)
  const plan = `${action.action} (${action.tier}), at a score of ${score}`
  const what = `Planned: ${plan}, under ${action.policy}.`
  const guards = verdict === null ? [] : (traceOf(verdict)?.guards ?? [])
  const planned = entry(at, 'planned', what)
  if (guards.length === 0) return [planned]
  const sentence = `All ${plural(guards.length, 'guard')} passed.`
  return [planned, entry(at, 'guards', sentence, 'good')]
}

const decided = {
  approved: 'Approved',
  rejected: 'Rejected',
  revised: 'The text was revised',
  snoozed: 'Put off: it asks again later',
  cancelled: 'Cancelled',
  attended: 'A person looked and said what became of it',
} as const

function tellApproval({ at, decision, by, reason }: ApprovalRow): Entry {
  const why = reason === null || reason === '' ? '' : `: ${reason}`
  const tone = decision === 'approved' ? 'good' : decision === 'rejected' ? 'bad' : 'plain'
  return { ...entry(at, 'approval', `${decided[decision]}${why}.`, tone), by }
}

const results = {
  landed: 'it landed',
  not_landed: 'nothing landed',
  unknown: 'nobody knows whether it landed',
  pending: 'it is under way',
} as const
const tones = { landed: 'good', not_landed: 'bad', unknown: 'open', pending: 'open' } as const

function tellAttempt(row: AttemptRow): readonly Entry[] {
  const which = row.segment === 0 ? '' : `, post ${row.segment + 1} of the thread`
  const begun = entry(row.startedAt, 'attempt', `Attempt ${row.number}${which}: sent.`)
  if (row.endedAt === null) return [begun]
  const why = row.fault === null ? '' : `, ${row.fault.code}: ${row.fault.detail}`
  const sentence = `Attempt ${row.number}: ${results[row.result]}${why}.`
  return [begun, entry(row.endedAt, 'attempt_ended', sentence, tones[row.result])]
}

/** What a person decided and what was sent is told from their own rows, with more to it. */
function tellChange(event: LedgerEvent): readonly Entry[] {
  switch (event.type) {
    case 'action_changed': {
      if (event.data.by !== null) return []
      const { to } = event.data
      const isBad = to === 'failed' || to === 'needs_attention' || to === 'expired'
      const tone = to === 'success' ? 'good' : isBad ? 'bad' : 'plain'
      return [entry(event.at, 'change', tell(event), tone)]
    }
    case 'approval_expiring':
      return [entry(event.at, 'notice', tell(event), 'open')]
    case 'incident':
      return [entry(event.at, 'incident', tell(event), 'bad')]
    default:
      return []
  }
}

function tellMeasurement({ takenAt, horizonMs, gain }: MeasurementRow): readonly Entry[] {
  if (takenAt === null) return []
  const after = `${formatDuration(horizonMs)} after the draw`
  const sentence =
    gain === null
      ? `Measured ${after}: nobody knows what was gained.`
      : `Measured ${after}: ${plural(gain, 'engagement')} gained.`
  return [entry(takenAt, 'measured', sentence)]
}

function entry(
  at: Instant,
  kind: TimelineEntry['kind'],
  sentence: string,
  tone: TimelineEntry['tone'] = 'plain',
): Entry {
  return { at, kind, sentence, by: null, tone }
}
