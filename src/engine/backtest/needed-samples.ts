/**
 * Owns which samples of a post a decision at its newest one depends on. A decision is handed all
 * readings and looks at few of them, so replaying a life of n readings with all of them each time
 * would cost n². These give the same verdict; only the trace counts fewer readings received.
 *
 * Needed are the evidence window and, for a detector that compares by age, what it reads off the
 * life so far: the readings around half the age and around 90 minutes ago. As a counter that falls
 * is held at its top, the reading that had set the top by then is needed with each of them.
 */

import { windowMs as recentMs } from '../../core/age-rank/ages.ts'
import { steady } from '../../core/age-rank/series.ts'
import type { Instant } from '../../core/instant.ts'
import type { Policy } from '../../core/policy.ts'
import type { Sample } from '../../core/sample.ts'

export class NeededSamples {
  readonly #windowMs: number
  readonly #publishedAt: Instant
  readonly #samples: Sample[] = []
  /** One for each counter; none where the detector looks at the window alone. */
  readonly #counters: readonly Counter[]
  #windowFrom = 0

  constructor(policy: Policy, publishedAt: Instant) {
    this.#windowMs = policy.evidence.windowMs
    this.#publishedAt = publishedAt
    const comparesByAge = policy.detector.detector !== 'rate'
    this.#counters = comparesByAge ? [new Counter(), new Counter()] : []
  }

  /** Adds a sample that is newer than all before it. */
  add(sample: Sample): void {
    const index = this.#samples.push(sample) - 1
    const ageMs = sample.at - this.#publishedAt
    const [engagements, impressions] = this.#counters
    if (ageMs < 0 || engagements === undefined || impressions === undefined) return
    engagements.add(index, ageMs, sample.engagements)
    if (sample.impressions !== null) impressions.add(index, ageMs, sample.impressions)
  }

  /** What a decision at the newest sample needs, in ascending order of time. */
  now(): readonly Sample[] {
    const samples = this.#samples
    const newest = samples.at(-1)
    if (newest === undefined) return []
    const fromAt = newest.at - this.#windowMs
    while ((samples[this.#windowFrom] as Sample).at < fromAt) this.#windowFrom += 1
    const before: number[] = []
    const ageMs = newest.at - this.#publishedAt
    for (const counter of this.#counters) counter.collect(ageMs, this.#windowFrom, before)
    const needed: Sample[] = []
    for (const index of before) needed.push(samples[index] as Sample)
    for (let index = this.#windowFrom; index < samples.length; index += 1) {
      needed.push(samples[index] as Sample)
    }
    return needed
  }
}

/** One counter of the post: which of its readings count, and which one had set its top by then. */
class Counter {
  readonly #agesMs: number[] = []
  readonly #indexes: number[] = []
  readonly #tops: number[] = []
  #top = 0
  #topIndex = -1
  #half = 0
  #recent = 0

  add(index: number, ageMs: number, count: number): void {
    if (count < this.#top && fellTooDeep(this.#top, count)) return
    if (count > this.#top || this.#topIndex < 0) {
      this.#top = count
      this.#topIndex = index
    }
    this.#agesMs.push(ageMs)
    this.#indexes.push(index)
    this.#tops.push(this.#topIndex)
  }

  /** Adds the indexes that are needed and lie before the window, in ascending order. */
  collect(ageMs: number, windowFrom: number, into: number[]): void {
    if (this.#indexes.length === 0) return
    // Both move on with the age and never back.
    this.#half = this.#firstFrom(ageMs / 2, this.#half)
    this.#recent = this.#firstFrom(ageMs - recentMs, this.#recent)
    this.#place(this.#half - 1, windowFrom, into)
    this.#place(this.#half, windowFrom, into)
    this.#place(this.#recent - 1, windowFrom, into)
    this.#place(this.#recent, windowFrom, into)
    // The newest is held at the top that was set before it, or has fallen from there.
    this.#place(this.#indexes.length - 1, windowFrom, into)
  }

  #place(at: number, windowFrom: number, into: number[]): void {
    if (at < 0 || at >= this.#indexes.length) return
    const index = this.#indexes[at] as number
    const top = this.#tops[at] as number
    if (index < windowFrom) insert(into, index)
    if (top !== index && top < windowFrom) insert(into, top)
  }

  #firstFrom(ageMs: number, from: number): number {
    let at = from
    while (at < this.#agesMs.length && (this.#agesMs[at] as number) < ageMs) at += 1
    return at
  }
}

/** Into a list in ascending order, once. It is short, and what comes is mostly the greatest. */
function insert(list: number[], value: number): void {
  let at = list.length
  while (at > 0 && (list[at - 1] as number) > value) at -= 1
  if (at > 0 && list[at - 1] === value) return
  list.push(value)
  for (let from = list.length - 1; from > at; from -= 1) list[from] = list[from - 1] as number
  list[at] = value
}

/** Asked of the rule itself, so that there is one. */
function fellTooDeep(top: number, count: number): boolean {
  return steady([0, 1], [top, count]).kind === 'fell'
}
