/**
 * Owns the counters of one post as a pure function of time: of the form it was born with and of
 * what was done to it, each at its moment. Reading has no effect, however often it is done.
 */

import type { Instant } from '../../core/instant.ts'
import type { Interactions } from '../../core/sample.ts'
import type { Arrivals } from './arrivals.ts'
import { countUntil } from './by-time.ts'
import { activeTime, shareGained, shareShown } from './curve.ts'
import type { Form } from './form.ts'

export interface Counts {
  readonly engagements: number
  readonly impressions: number
  readonly interactions: Interactions
}

/** From its moment on, arrivals come `factor` times as fast as if nothing had ever been done. */
interface Phase {
  readonly at: Instant
  readonly factor: number
  readonly gained: number
  readonly shown: number
  readonly gainedShare: number
  readonly shownShare: number
}

/** What was added by hand up to a moment, for each counter. */
interface Added {
  readonly at: Instant
  readonly sums: readonly number[]
  /** Without what an action added. */
  readonly untouchedSums: readonly number[]
}

/** Something added to a counter beside what arrives by itself. */
export interface Addition {
  readonly at: Instant
  readonly counter: string
  readonly amount: number
  /** Whether it comes from an action, as our own reply does. */
  readonly byAction: boolean
}

export class Growth {
  readonly #form: Form
  readonly #counters: readonly string[]
  readonly #arrivals: Arrivals
  readonly #peakMs: number
  readonly #bornActive: number
  /** For each counter, what the pattern of arrivals holds before it begins. */
  readonly #before: readonly number[]
  readonly #purgeAt: Instant
  readonly #boosts: { readonly at: Instant; readonly factor: number }[] = []
  #phases: Phase[] = []
  readonly #additions: Addition[] = []
  #added: Added[] = []

  constructor(
    form: Form,
    bornAt: Instant,
    peakMs: number,
    counters: readonly string[],
    arrivals: Arrivals,
  ) {
    this.#form = form
    this.#counters = counters
    this.#arrivals = arrivals
    this.#peakMs = peakMs
    this.#bornActive = activeTime(bornAt, peakMs)
    this.#before = form.begins.map((begin) => arrivals.upTo(begin))
    this.#purgeAt = form.purge === null ? Infinity : bornAt + form.purge.afterMs
  }

  /** Multiplies all arrivals after a moment; the inverse takes it back from a later one on. */
  boost(at: Instant, factor: number): void {
    this.#boosts.push({ at, factor })
    this.#boosts.sort((a, b) => a.at - b.at)
    this.#phases = []
    for (const next of this.#boosts) this.#phases.push(this.#phaseAfter(next))
  }

  add(addition: Addition): void {
    if (!this.#counters.includes(addition.counter)) return
    const last = this.#additions.at(-1)
    const isNewest = last === undefined || last.at <= addition.at
    this.#additions.push(addition)
    if (isNewest) {
      this.#added.push(this.#addedAfter(addition))
      return
    }
    this.#additions.sort((a, b) => a.at - b.at)
    this.#added = []
    for (const each of this.#additions) this.#added.push(this.#addedAfter(each))
  }

  read(at: Instant): Counts {
    return this.#countsOf(at, true)
  }

  /** The same post with the same chance, had no action ever been taken on it. */
  readUntouched(at: Instant): Counts {
    return this.#countsOf(at, false)
  }

  #countsOf(at: Instant, touched: boolean): Counts {
    const phase = touched ? this.#phaseAt(at) : undefined
    const active = activeTime(at, this.#peakMs) - this.#bornActive
    const gained = this.#expected(phase, active)
    const added = this.#added.length === 0 ? undefined : newestAt(this.#added, at)
    const sums = touched ? added?.sums : added?.untouchedSums
    const interactions: Record<string, number> = {}
    let engagements = 0
    for (let index = 0; index < this.#counters.length; index += 1) {
      const name = this.#counters[index] as string
      let count = this.#arrived(index, gained * (this.#form.shares[index] as number))
      if (at >= this.#purgeAt && name === 'likes') count -= this.#purgedLikes(index, touched)
      if (sums !== undefined) count += sums[index] as number
      interactions[name] = Math.max(0, count)
      engagements += Math.max(0, count)
    }
    const shown = this.#expectedShown(phase, active)
    const impressions = this.#arrived(this.#counters.length, shown)
    return { engagements, impressions: Math.max(impressions, engagements), interactions }
  }

  /** What was there when the purge came, whatever has come since. */
  #purgedLikes(index: number, touched: boolean): number {
    const active = activeTime(this.#purgeAt, this.#peakMs) - this.#bornActive
    const phase = touched ? this.#phaseAt(this.#purgeAt) : undefined
    const expected = this.#expected(phase, active) * (this.#form.shares[index] as number)
    return Math.floor((this.#form.purge?.share ?? 0) * this.#arrived(index, expected))
  }

  #arrived(index: number, expected: number): number {
    const begin = this.#form.begins[index] as number
    return this.#arrivals.upTo(begin + expected) - (this.#before[index] as number)
  }

  #expected(phase: Phase | undefined, active: number): number {
    const share = shareGained(this.#form.curve, active)
    if (phase === undefined) return this.#form.total * share
    return phase.gained + this.#form.total * phase.factor * (share - phase.gainedShare)
  }

  #expectedShown(phase: Phase | undefined, active: number): number {
    const share = shareShown(this.#form.curve, active)
    if (phase === undefined) return this.#form.impressions * share
    return phase.shown + this.#form.impressions * phase.factor * (share - phase.shownShare)
  }

  #phaseAt(at: Instant): Phase | undefined {
    return this.#phases.length === 0 ? undefined : newestAt(this.#phases, at)
  }

  #phaseAfter({ at, factor }: { readonly at: Instant; readonly factor: number }): Phase {
    const before = this.#phases.at(-1)
    const active = activeTime(at, this.#peakMs) - this.#bornActive
    return {
      at,
      factor: factor * (before?.factor ?? 1),
      gained: this.#expected(before, active),
      shown: this.#expectedShown(before, active),
      gainedShare: shareGained(this.#form.curve, active),
      shownShare: shareShown(this.#form.curve, active),
    }
  }

  #addedAfter({ at, counter, amount, byAction }: Addition): Added {
    const index = this.#counters.indexOf(counter)
    const before = this.#added.at(-1)
    const zeros = this.#counters.map(() => 0)
    const sums = (before?.sums ?? zeros).with(index, (before?.sums[index] ?? 0) + amount)
    if (byAction) return { at, sums, untouchedSums: before?.untouchedSums ?? zeros }
    const untouched = (before?.untouchedSums[index] ?? 0) + amount
    return { at, sums, untouchedSums: (before?.untouchedSums ?? zeros).with(index, untouched) }
  }
}

function newestAt<Entry extends { readonly at: Instant }>(
  entries: readonly Entry[],
  at: Instant,
): Entry | undefined {
  return entries[countUntil(entries, at, timeOf) - 1]
}

function timeOf({ at }: { readonly at: Instant }): Instant {
  return at
}
