/**
 * Owns what a post's verdicts say about each stretch of time. A verdict holds until the next look,
 * but not for longer than looks usually lie apart: a gap is not health. Pure.
 */

import type { VerdictView } from '../../../src/server/schema/verdict.ts'

export type StripKind = 'healthy' | 'stalled' | 'insufficient' | 'gap'

export interface Stretch {
  readonly kind: StripKind
  /** Epoch milliseconds. */
  readonly from: number
  readonly to: number
}

const minuteMs = 60_000
/** Old posts are looked at this rarely on purpose; what is longer is a gap. */
const shortestGapMs = 130 * minuteMs

type Look = Pick<VerdictView, 'at' | 'kind'>

export function layOutStates(from: number, to: number, verdicts: readonly Look[]): Stretch[] {
  const looks = verdicts
    .map(({ at, kind }) => ({ at: Date.parse(at), kind: stripKindOf(kind) }))
    .filter(({ at }) => at <= to)
    .sort((a, b) => a.at - b.at)
  const longestMs = longestHoldMs(looks.map(({ at }) => at))
  const stretches: Stretch[] = []
  const add = (kind: StripKind, start: number, end: number) => {
    if (end <= start) return
    const before = stretches.at(-1)
    if (before?.kind === kind && before.to === start) {
      stretches[stretches.length - 1] = { ...before, to: end }
    } else stretches.push({ kind, from: start, to: end })
  }
  add('gap', from, Math.min(looks[0]?.at ?? to, to))
  looks.forEach(({ at, kind }, index) => {
    const next = looks[index + 1]?.at ?? to
    const end = Math.min(next, at + longestMs)
    add(kind, Math.max(at, from), end)
    add('gap', Math.max(end, from), next)
  })
  return stretches
}

function stripKindOf(kind: VerdictView['kind']): StripKind {
  return kind === 'plan' || kind === 'hold' ? 'stalled' : kind
}

/** Twice what usually lies between two looks. */
function longestHoldMs(times: readonly number[]): number {
  const between = times.slice(1).map((at, index) => at - (times[index] ?? at))
  const usual = between.sort((a, b) => a - b)[Math.floor(between.length / 2)] ?? 0
  return Math.max(shortestGapMs, 2 * usual)
}
