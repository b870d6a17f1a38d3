/**
 * Owns the lift of groups of posts, and what it leaves out: every post that has an arm is either in
 * the estimate or in one of the counts beside it.
 */

import { measureLift } from '../../core/lift/lift.ts'
import type { Lift } from '../../core/lift/lift.ts'
import type { Arm } from '../../core/decision-input.ts'
import type { Explored } from '../../core/lift/explore.ts'
import type { DrawnPost } from './drawn.ts'

/** How many posts of each arm. */
export type ByArm = Readonly<Record<Arm, number>>

/** Posts with an arm that are not in the estimate, and why. */
export interface LeftOut {
  /** Their time is not up. */
  readonly waiting: ByArm
  /** Their time is up and nobody knows what they gained, mostly as they are gone. */
  readonly lost: ByArm
  /** Nothing was held out when they were drawn. */
  readonly withoutDraw: number
}

/** The lift of one group; `lift` is null where it is not measured, as nothing is held out. */
export interface GroupLift {
  readonly name: string
  readonly lift: Lift | null
  readonly leftOut: LeftOut
}

/** One post with an arm, as far as groups count it. */
export interface Entry {
  readonly arm: Arm
  readonly reading: 'measured' | 'waiting' | 'lost' | 'no_draw'
  /** Set where it is measured. */
  readonly post: DrawnPost | null
  readonly action: string
  readonly tier: string
  readonly platform: string
  readonly account: string
  /** Set where something was chosen for it by what it did before. */
  readonly explored: Explored | null
}

/** The lift of all entries together. `holdsOut`: whether any account of the group holds out now. */
export function groupLift(name: string, entries: readonly Entry[], holdsOut: boolean): GroupLift {
  const leftOut = countLeftOut(entries)
  const wasDrawn = entries.some(({ reading }) => reading !== 'no_draw')
  if (!wasDrawn && !holdsOut) return { name, lift: null, leftOut }
  const posts = entries.flatMap(({ post }) => (post === null ? [] : [post]))
  return { name, lift: measureLift(posts), leftOut }
}

/** The lift of each group by itself, in the order of their names. */
export function groupLiftBy(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  holdsOut: (entry: Entry) => boolean,
): readonly GroupLift[] {
  const groups = Map.groupBy(entries, nameOf)
  return [...groups.keys()].sort().map((name) => {
    const members = groups.get(name) ?? []
    return groupLift(name, members, members.some(holdsOut))
  })
}

function countLeftOut(entries: readonly Entry[]): LeftOut {
  const waiting = { act: 0, holdout: 0 }
  const lost = { act: 0, holdout: 0 }
  let withoutDraw = 0
  for (const { arm, reading } of entries) {
    if (reading === 'waiting') waiting[arm] += 1
    else if (reading === 'lost') lost[arm] += 1
    else if (reading === 'no_draw') withoutDraw += 1
  }
  return { waiting, lost, withoutDraw }
}
