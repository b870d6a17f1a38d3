/** Owns the four views of the inbox: the states of each, and what it says where it is empty. */

import type { inboxShows } from '../../shell/search.ts'
import type { State } from '../../words/states.ts'

export type InboxShow = (typeof inboxShows)[number]

export const statesOf: Readonly<Record<InboxShow, readonly State[]>> = {
  awaiting: ['awaiting_approval'],
  attention: ['needs_attention'],
  under_way: ['planned', 'approved', 'running', 'waiting', 'unknown'],
  ended: ['success', 'failed', 'rejected', 'expired', 'cancelled'],
}

export const showTitles: Readonly<Record<InboxShow, string>> = {
  awaiting: 'Awaiting approval',
  attention: 'Needs attention',
  under_way: 'Under way',
  ended: 'Ended',
}

interface EmptyWords {
  readonly title: string
  readonly next: string
}

export const emptyWords: Readonly<Record<InboxShow, EmptyWords>> = {
  awaiting: {
    title: 'Nothing awaits approval',
    next:
      'A plan appears here as soon as a post of an account in mode approve stalls and every ' +
      'guard passes. Posts shows what is being watched.',
  },
  attention: {
    title: 'Nothing needs attention',
    next: 'An action appears here where only a person can find out whether it landed.',
  },
  under_way: {
    title: 'Nothing is under way',
    next: 'What was approved and is not out yet appears here.',
  },
  ended: {
    title: 'No action has ended yet',
    next: 'Every action appears here once it is over, however it ended.',
  },
}
