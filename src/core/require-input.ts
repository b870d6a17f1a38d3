/**
 * Owns the check of a decision's input. A time that is NaN compares as false with everything, so
 * an unchecked one would open a guard without a word. Samples are checked where they are gathered.
 */

import { actions } from './action.ts'
import type { DecisionInput } from './decision-input.ts'
import type { PastAction, TallyEntry } from './history.ts'
import { requireWellFormed } from './ids.ts'
import { requireInstant } from './instant.ts'
import type { Look } from './look.ts'
import { requireCount } from './sample.ts'

/** Throws an InputError that names the first field that cannot be used. */
export function requireInput(input: DecisionInput): void {
  requireWellFormed(input.post.id, 'post.id')
  requireInstant(input.now, 'now')
  if (input.post.publishedAt !== null) requireInstant(input.post.publishedAt, 'post.publishedAt')
  // A sum is finite only if each of its parts is, and adding up is cheap. This runs every time.
  if (!Number.isFinite(sumOf(input))) requireEach(input)
}

function sumOf({ history, looks, ownReplies, pauses, tallies, withoutLift }: DecisionInput) {
  let sum = (withoutLift.comment ?? 0) + (withoutLift.edit ?? 0) + (withoutLift.thread ?? 0)
  for (let index = 0; index < history.length; index += 1) {
    const { at, endedAt } = history[index] as PastAction
    sum += at + (endedAt ?? 0)
  }
  for (let index = 0; index < looks.length; index += 1) sum += (looks[index] as Look).at
  for (const at of ownReplies) sum += at
  for (const { since } of pauses) sum += since
  return sum + sumOfTallies(tallies.account) + sumOfTallies(tallies.platform)
}

function sumOfTallies(entries: readonly TallyEntry[]): number {
  let sum = 0
  for (let index = 0; index < entries.length; index += 1) {
    const { at, count } = entries[index] as TallyEntry
    sum += at + count
  }
  return sum
}

/** Finds the part that is not a number, and names it. */
function requireEach({ history, looks, ownReplies, pauses, tallies, withoutLift }: DecisionInput) {
  for (const [index, { at, endedAt }] of history.entries()) {
    requireInstant(at, `history[${index}].at`)
    if (endedAt !== null) requireInstant(endedAt, `history[${index}].endedAt`)
  }
  for (const [index, { at }] of looks.entries()) requireInstant(at, `looks[${index}].at`)
  for (const [index, at] of ownReplies.entries()) requireInstant(at, `ownReplies[${index}]`)
  for (const [index, { since }] of pauses.entries()) requireInstant(since, `pauses[${index}].since`)
  requireTallies(tallies.account, 'tallies.account')
  requireTallies(tallies.platform, 'tallies.platform')
  for (const action of actions) requireCount(withoutLift[action] ?? 0, `withoutLift.${action}`)
}

function requireTallies(entries: readonly TallyEntry[], field: string): void {
  for (const [index, { at, count }] of entries.entries()) {
    requireInstant(at, `${field}[${index}].at`)
    requireCount(count, `${field}[${index}].count`)
  }
}
