/**
 * Owns the life of an action as a table. Every store enforces the same table in its own terms.
 * An ended row never changes (I7).
 */

export const states = [
  'planned',
  'awaiting_approval',
  'approved',
  'running',
  'waiting',
  'unknown',
  'needs_attention',
  'success',
  'failed',
  'rejected',
  'expired',
  'cancelled',
] as const
export type State = (typeof states)[number]

/** From each state, the states that may follow it. */
export const transitions: Readonly<Record<State, readonly State[]>> = {
  planned: ['awaiting_approval', 'running', 'rejected', 'expired', 'cancelled'],
  awaiting_approval: ['approved', 'rejected', 'expired', 'cancelled'],
  approved: ['running', 'rejected', 'expired', 'cancelled'],
  running: ['success', 'failed', 'waiting', 'unknown'],
  waiting: ['running', 'failed', 'cancelled'],
  unknown: ['success', 'failed', 'waiting', 'needs_attention'],
  needs_attention: ['success', 'failed'],
  success: [],
  failed: [],
  rejected: [],
  expired: [],
  cancelled: [],
}

export function canFollow(from: State, to: State): boolean {
  return transitions[from].includes(to)
}

/** Ended rows, which nothing follows, are the ones a generation counts. */
export function isEnded(state: State): boolean {
  return (
    state === 'success' ||
    state === 'failed' ||
    state === 'rejected' ||
    state === 'expired' ||
    state === 'cancelled'
  )
}

/** A post has at most one open action at a time. */
export function isOpen(state: State): boolean {
  return !isEnded(state)
}

/** Whether something of the action may be visible on the network. */
export function mayHaveLanded(state: State): boolean {
  return (
    state === 'running' || state === 'success' || state === 'unknown' || state === 'needs_attention'
  )
}
