/** Owns what a replay came to: what would have been done and when, and how right that was. */

import { actions, tiers } from '../../core/action.ts'
import type { Action, Tier } from '../../core/action.ts'
import { taskHours } from './grade.ts'
import type { Judgement } from './grade.ts'
import type { ReplayedAction } from './post-replay.ts'

/** One post under one policy. */
export interface PostOutcome {
  readonly id: string
  readonly account: string
  readonly looks: number
  /** How many of the looks could tell anything. */
  readonly scored: number
  readonly actions: readonly ReplayedAction[]
  /** Whether it was stagnant at one hour; null where that cannot be told. */
  readonly stagnant: boolean | null
  /** The same at its first action. */
  readonly stagnantWhenActed: boolean | null
}

/** How many were right of how many; null of nothing. */
export interface Share {
  readonly count: number
  readonly of: number
  readonly share: number | null
}

/** How the policy stood at one of the task's ages, before any guard. */
export interface AgeFigures {
  /** Null for all ages together. */
  readonly ageHours: number | null
  readonly precision: Share
  readonly recall: Share
  /** Healthy posts that it took for stalled. */
  readonly falseAlarms: Share
}

export interface BacktestReport {
  /** As `name@version`. */
  readonly policy: string
  readonly posts: number
  readonly looks: number
  /** Posts of which no look could tell anything. */
  readonly neverScored: number
  /** Posts whose truth nobody knows: not read to 48 h, or too few posts before them. */
  readonly ungraded: number
  readonly actions: number
  readonly byAction: Readonly<Record<Action, number>>
  readonly byTier: Readonly<Record<Tier, number>>
  readonly actedOn: Share
  /** How old posts were at their first action, in the middle. */
  readonly medianFirstAgeMs: number | null
  /** Of the posts that were healthy at one hour, those it would have bothered. */
  readonly healthyBothered: Share
  /** Recall: of the posts that were stagnant at one hour, those it would have acted on. */
  readonly stagnantReached: Share
  /** Precision: of the posts it would have acted on, those that were stagnant just then. */
  readonly precision: Share
  /** For each age of the task, and then for all together. */
  readonly ages: readonly AgeFigures[]
  /** At how many looks each reason held, or was what was lacking. */
  readonly reasons: Readonly<Record<string, number>>
  /** In the order in which posts were given. */
  readonly outcomes: readonly PostOutcome[]
}

export interface Replayed {
  readonly policy: string
  readonly outcomes: readonly PostOutcome[]
  readonly judgements: readonly Judgement[]
  readonly reasons: ReadonlyMap<string, number>
}

export function reportOf({ policy, outcomes, judgements, reasons }: Replayed): BacktestReport {
  const done = outcomes.flatMap((outcome) => outcome.actions)
  const acted = outcomes.filter(isActedOn)
  const healthy = outcomes.filter(({ stagnant }) => stagnant === false)
  const stagnant = outcomes.filter((outcome) => outcome.stagnant === true)
  const graded = acted.filter(({ stagnantWhenActed }) => stagnantWhenActed !== null)
  const right = graded.filter(({ stagnantWhenActed }) => stagnantWhenActed === true)
  return {
    policy,
    posts: outcomes.length,
    looks: outcomes.reduce((sum, { looks }) => sum + looks, 0),
    neverScored: outcomes.filter(({ scored }) => scored === 0).length,
    ungraded: outcomes.length - healthy.length - stagnant.length,
    actions: done.length,
    byAction: countBy(actions, done, ({ action }) => action),
    byTier: countBy(tiers, done, ({ tier }) => tier),
    actedOn: shareOf(acted.length, outcomes.length),
    medianFirstAgeMs: median(acted.flatMap(({ actions: [first] }) => first?.ageMs ?? [])),
    healthyBothered: shareOf(healthy.filter(isActedOn).length, healthy.length),
    stagnantReached: shareOf(stagnant.filter(isActedOn).length, stagnant.length),
    precision: shareOf(right.length, graded.length),
    ages: [...taskHours, null].map((ageHours) => figuresAt(ageHours, judgements)),
    reasons: Object.fromEntries([...reasons].sort(([, a], [, b]) => b - a)),
    outcomes,
  }
}

export function isActedOn({ actions: done }: PostOutcome): boolean {
  return done.length > 0
}

function figuresAt(ageHours: number | null, all: readonly Judgement[]): AgeFigures {
  const judgements = all.filter((each) => ageHours === null || each.ageHours === ageHours)
  const count = (flagged: boolean, stagnant: boolean) =>
    judgements.filter((each) => each.flagged === flagged && each.stagnant === stagnant).length
  const hits = count(true, true)
  const alarms = count(true, false)
  return {
    ageHours,
    precision: shareOf(hits, hits + alarms),
    recall: shareOf(hits, hits + count(false, true)),
    falseAlarms: shareOf(alarms, alarms + count(false, false)),
  }
}

export function shareOf(count: number, of: number): Share {
  return { count, of, share: of === 0 ? null : count / of }
}

function countBy<Name extends string>(
  names: readonly Name[],
  done: readonly ReplayedAction[],
  nameOf: (action: ReplayedAction) => Name,
): Readonly<Record<Name, number>> {
  const counts = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
  for (const action of done) counts[nameOf(action)] += 1
  return counts
}

function median(values: readonly number[]): number | null {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null
}
