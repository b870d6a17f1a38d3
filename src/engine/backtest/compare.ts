/** Owns the comparison of two policies that were replayed over the same posts. */

import { InputError } from '../../core/input-error.ts'
import { isActedOn } from './report.ts'
import type { BacktestReport, PostOutcome } from './report.ts'

/** How many posts each of the two would have acted on. */
export interface Split {
  readonly both: number
  readonly onlyFirst: number
  readonly onlySecond: number
  readonly neither: number
}

export interface Comparison {
  readonly first: string
  readonly second: string
  readonly all: Split
  /** The same by what the posts were at one hour. */
  readonly healthy: Split
  readonly stagnant: Split
  /** Where both act: how much earlier the first does, in the middle; below 0 it is later. */
  readonly earlierByMs: number | null
}

export function compareReports(first: BacktestReport, second: BacktestReport): Comparison {
  const pairs = first.outcomes.map((outcome, index) => {
    const other = second.outcomes[index]
    if (other === undefined || other.id !== outcome.id) {
      throw new InputError('second', 'was not replayed over the same posts as the first')
    }
    return [outcome, other] as const
  })
  if (second.outcomes.length !== pairs.length) {
    throw new InputError('second', 'was replayed over more posts than the first')
  }
  const leads = pairs.flatMap(([one, other]) => {
    const from = one.actions[0]?.at
    const to = other.actions[0]?.at
    return from === undefined || to === undefined ? [] : [to - from]
  })
  return {
    first: first.policy,
    second: second.policy,
    all: splitOf(pairs),
    healthy: splitOf(pairs.filter(([{ stagnant }]) => stagnant === false)),
    stagnant: splitOf(pairs.filter(([{ stagnant }]) => stagnant === true)),
    earlierByMs: leads.sort((a, b) => a - b)[Math.floor((leads.length - 1) / 2)] ?? null,
  }
}

function splitOf(pairs: readonly (readonly [PostOutcome, PostOutcome])[]): Split {
  const split = { both: 0, onlyFirst: 0, onlySecond: 0, neither: 0 }
  for (const [one, other] of pairs) {
    if (isActedOn(one)) split[isActedOn(other) ? 'both' : 'onlyFirst'] += 1
    else split[isActedOn(other) ? 'onlySecond' : 'neither'] += 1
  }
  return split
}
