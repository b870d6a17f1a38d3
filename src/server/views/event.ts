/** Owns how an event is told: its fields as they are, and one sentence for people. */

import type { LedgerEvent } from '../../core/events.ts'
import { formatDuration, formatScore, plural } from '../../core/wording.ts'
import type { EventView } from '../schema/event.ts'
import { iso } from './time.ts'

export function toEventView(event: LedgerEvent): EventView {
  const { seq, type, at, accountId, postId, actionId, data } = event
  return {
    seq,
    type,
    at: iso(at),
    accountId,
    postId,
    actionId,
    data: { ...data },
    sentence: tell(event),
  }
}

/** One short sentence without a name in it: who and what is beside it. */
export function tell(event: LedgerEvent): string {
  switch (event.type) {
    case 'account_saved':
      return `The account was saved: mode ${event.data.mode}, policy ${event.data.policy}.`
    case 'account_parked':
      return `The account was parked: ${event.data.code}.`
    case 'account_activated':
      return 'The account was activated.'
    case 'account_erased':
      return 'The account was erased: its secrets and texts are gone.'
    case 'credentials_replaced':
      return 'The credentials were replaced.'
    case 'post_tracked':
      return `A post is tracked, published at ${iso(event.data.publishedAt)}.`
    case 'post_closed':
      return event.data.status === 'gone'
        ? 'The post is gone from the network.'
        : 'The watch of the post is over.'
    case 'never_touch':
      return event.data.on ? 'The post is never to be touched.' : 'The post may be touched again.'
    case 'verdict':
      return tellVerdict(event.data)
    case 'arm_assigned':
      return `The post was drawn into the arm ${event.data.arm}.`
    default:
      return tellAction(event)
  }
}

function tellVerdict({ verdict, reason, score }: (LedgerEvent & { type: 'verdict' })['data']) {
  const why = reason === null ? '' : ` (${reason})`
  const number = score === null ? '' : `, at a score of ${formatScore(score)}`
  return `The verdict is ${verdict}${why}${number}.`
}

function tellAction(event: LedgerEvent): string {
  switch (event.type) {
    case 'action_planned':
      return event.data.state === 'awaiting_approval'
        ? `A ${event.data.action} (${event.data.tier}) was planned; it awaits approval.`
        : `A ${event.data.action} (${event.data.tier}) was planned.`
    case 'approval_expiring':
      return `An approval is still awaited, and runs out at ${iso(event.data.expiresAt)}.`
    case 'text_revised':
      return `The text was revised, for the ${ordinal(event.data.revision)} time.`
    case 'action_changed': {
      const { from, to, reason, by } = event.data
      const who = by === null ? '' : ` by ${by}`
      return `The action went from ${from} to ${to}${who}${reason === null ? '' : `: ${reason}`}.`
    }
    case 'attempt_begun':
      return `Attempt ${event.data.number} began, segment ${event.data.segment + 1}.`
    case 'attempt_ended': {
      const { number, result, code } = event.data
      return `Attempt ${number} ended: ${result}${code === null ? '' : `, ${code}`}.`
    }
    case 'undo_planned':
      return 'It was planned to take an action back.'
    case 'incident':
      return `An incident: ${event.data.kind}.`
    case 'measured': {
      const { horizonMs, gain } = event.data
      const after = `${formatDuration(horizonMs)} after the draw`
      return gain === null
        ? `Nobody knows what was gained ${after}.`
        : `${plural(gain, 'engagement')} were gained ${after}.`
    }
    default:
      return tellRest(event)
  }
}

function tellRest(event: LedgerEvent): string {
  switch (event.type) {
    case 'paused':
      return `Sending was paused for ${subject(event.data)}.`
    case 'resumed':
      return `Sending was resumed for ${subject(event.data)}.`
    case 'history_imported':
      return `${plural(event.data.rows, 'row')} of classic history came in.`
    case 'restored':
      return 'The ledger was restored from a backup.'
    default:
      return `${event.type.replaceAll('_', ' ')}.`
  }
}

function subject({ scope, target }: { readonly scope: string; readonly target: string }): string {
  return target === '' ? scope : `the ${scope} ${target}`
}

function ordinal(count: number): string {
  const endings = ['th', 'st', 'nd', 'rd'] as const
  const rest = count % 100
  const ending = rest > 10 && rest < 14 ? 'th' : (endings[rest % 10] ?? 'th')
  return `${count}${ending}`
}
