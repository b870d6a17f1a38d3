/** Owns the words and the tone of every state, verdict, mode and guard, from the glossary. */

import type { ActionView } from '../../../src/server/schema/action.ts'
import type { AccountView } from '../../../src/server/schema/account.ts'
import type { PostView } from '../../../src/server/schema/post.ts'
import type { UntilView } from '../../../src/server/schema/fields.ts'
import type { LatestVerdict } from '../../../src/server/schema/verdict.ts'
import type { Tone } from '../design/badge.tsx'

export type State = ActionView['state']
export type VerdictKind = LatestVerdict['kind']
export type Mode = AccountView['mode']

export interface Wording {
  readonly label: string
  readonly tone: Tone
  /** What it means, as a sentence. */
  readonly meaning: string
}

export const stateWords: Readonly<Record<State, Wording>> = {
  planned: { label: 'planned', tone: 'accent', meaning: 'It has passed every guard.' },
  awaiting_approval: {
    label: 'awaiting approval',
    tone: 'warn',
    meaning: 'Nothing is sent before a person approves it.',
  },
  approved: { label: 'approved', tone: 'accent', meaning: 'It is sent at its next turn.' },
  running: { label: 'running', tone: 'accent', meaning: 'It is being sent.' },
  waiting: { label: 'waiting', tone: 'warn', meaning: 'Nothing landed; a retry is due.' },
  unknown: {
    label: 'unknown',
    tone: 'odd',
    meaning: 'It may have landed. The platform is being read to find out.',
  },
  needs_attention: {
    label: 'needs attention',
    tone: 'bad',
    meaning: 'Only a person can find out whether it landed.',
  },
  success: { label: 'success', tone: 'good', meaning: 'It is out.' },
  failed: { label: 'failed', tone: 'bad', meaning: 'Nothing landed.' },
  rejected: { label: 'rejected', tone: 'plain', meaning: 'A person decided against it.' },
  expired: { label: 'expired', tone: 'plain', meaning: 'Nobody decided in time.' },
  cancelled: { label: 'cancelled', tone: 'plain', meaning: 'It was not needed any more.' },
}

export const verdictWords: Readonly<Record<VerdictKind, Wording>> = {
  plan: { label: 'plan', tone: 'accent', meaning: 'Stalled, and every guard passed.' },
  hold: { label: 'hold', tone: 'warn', meaning: 'Stalled, but nothing is done now.' },
  healthy: { label: 'healthy', tone: 'good', meaning: 'It grows as its account’s posts do.' },
  insufficient: {
    label: 'insufficient',
    tone: 'plain',
    meaning: 'There is not enough to tell yet.',
  },
}

export const modeWords: Readonly<Record<Mode, string>> = {
  watch: 'only reports',
  approve: 'asks first',
  auto: 'acts by itself',
}

export const statusWords: Readonly<Record<PostView['status'], string>> = {
  watched: 'watched',
  closed: 'closed',
  gone: 'gone from the network',
}

export const actionWords: Readonly<Record<ActionView['action'], string>> = {
  comment: 'comment',
  edit: 'edit',
  thread: 'thread',
}

export const tierWords: Readonly<Record<ActionView['tier'], string>> = {
  tier_1: 'tier 1, nudge',
  tier_2: 'tier 2, enhance',
  tier_3: 'tier 3, amplify',
}

const untilWords = {
  approval: 'until a person decides',
  resume: 'until someone resumes it',
  next_look: 'until the next look',
  action_ended: 'until the open action ends',
  next_sample: 'until a newer sample shows otherwise',
  review: 'until a person has reviewed it',
} as const

/** When a hold can end, where it is not a time. */
export function wordUntil(until: Exclude<UntilView, { kind: 'time' }>): string {
  return until.kind === 'never' ? 'not possible any more' : untilWords[until.event]
}

/** `window_frequency` → `window frequency`. */
export function wordName(name: string): string {
  return name.replaceAll('_', ' ')
}
