/** Owns what needs a person, the most pressing first. Pure. */

import type { OverviewView } from '../../../../src/server/schema/overview.ts'
import type { Tone } from '../../design/badge.tsx'
import { plural } from '../../words/numbers.ts'

export interface Need {
  readonly title: string
  /** What it means, and what to do. */
  readonly detail: string
  readonly tone: Tone
  readonly to: '/inbox' | '/accounts' | '/system'
  readonly search: Readonly<Record<string, string>>
  readonly label: string
  /** ISO 8601; when it is too late, or null. */
  readonly before: string | null
}

export function findNeeds(
  overview: OverviewView,
  engine: 'working' | 'stuck' | 'elsewhere' | null,
): readonly Need[] {
  const { awaitingApproval, needsAttention, parkedAccounts, failedLast24h } = overview
  const awaits = awaitingApproval === 1 ? 'awaits' : 'await'
  const needs: (Need | false)[] = [
    engine === 'stuck' && {
      title: 'The engine is stuck',
      detail: 'What is due is not being done. System says what went wrong.',
      tone: 'bad',
      to: '/system',
      search: {},
      label: 'See System',
      before: null,
    },
    needsAttention > 0 && {
      title: `${plural(needsAttention, 'action')} may have landed`,
      detail: 'Only a person can find out. Until then the guards count it as sent.',
      tone: 'bad',
      to: '/inbox',
      search: { show: 'attention' },
      label: 'Look and say',
      before: null,
    },
    parkedAccounts > 0 && {
      title: `${plural(parkedAccounts, 'account')} stopped working`,
      detail: 'Its sign-in ended. Nothing is read or sent there until it is connected again.',
      tone: 'bad',
      to: '/accounts',
      search: {},
      label: 'Connect again',
      before: null,
    },
    awaitingApproval > 0 && {
      title: `${plural(awaitingApproval, 'action')} ${awaits} approval`,
      detail: 'Nothing is sent before you say so.',
      tone: 'warn',
      to: '/inbox',
      search: {},
      label: 'Decide',
      before: overview.nextApprovalExpiresAt,
    },
    failedLast24h > 0 && {
      title: `${plural(failedLast24h, 'action')} failed in 24 h`,
      detail: 'Nothing of it landed. The guards hold the post back for a while.',
      tone: 'plain',
      to: '/inbox',
      search: { show: 'ended' },
      label: 'See why',
      before: null,
    },
  ]
  return needs.filter((need) => need !== false)
}
