/** Owns counting what a dry run would have done, day by day. Pure. */

import type { DryRunView } from '../../../../src/server/schema/policy.ts'

export interface DryRunDay {
  /** Midnight of the viewer's zone, epoch milliseconds. */
  readonly day: number
  readonly posts: number
  readonly actions: number
}

/** Every day from the first to the last, also those on which nothing would have been done. */
export function countByDay(outcomes: DryRunView['outcomes']): readonly DryRunDay[] {
  const posts = new Map<number, number>()
  const actions = new Map<number, number>()
  for (const outcome of outcomes) {
    add(posts, dayOf(outcome.publishedAt))
    for (const { at } of outcome.actions) add(actions, dayOf(at))
  }
  const days = [...posts.keys(), ...actions.keys()]
  if (days.length === 0) return []
  const last = Math.max(...days)
  const counted: DryRunDay[] = []
  for (let day = Math.min(...days); day <= last; day = nextDay(day)) {
    counted.push({ day, posts: posts.get(day) ?? 0, actions: actions.get(day) ?? 0 })
  }
  return counted
}

function add(counts: Map<number, number>, day: number): void {
  counts.set(day, (counts.get(day) ?? 0) + 1)
}

function dayOf(at: string): number {
  return new Date(at).setHours(0, 0, 0, 0)
}

/** By the calendar, as a day may have 23 or 25 hours. */
function nextDay(day: number): number {
  const date = new Date(day)
  return date.setDate(date.getDate() + 1)
}
