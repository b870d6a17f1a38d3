/**
 * Owns the truth that a replay is graded against: a post is stagnant at an age if from then to 48 h
 * it gains less than 25 % of what posts of that age usually still gain, as far as was known then.
 */

import { minimumCurves } from '../../core/age-rank/age-rank.ts'
import { horizonMs, stagnantShare } from '../../core/age-rank/ages.ts'
import { expectedGainAt } from '../../core/age-rank/baseline.ts'
import { countAt, steady } from '../../core/age-rank/series.ts'
import type { Steadied } from '../../core/age-rank/series.ts'
import { hourMs } from '../../core/duration.ts'
import type { AccountBaseline } from '../../core/signal.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { RecordedPost } from './recorded-post.ts'

/** The ages at which the task asks. */
export const taskHours = [1, 2, 4, 8] as const

/** A look stands for a task's age up to this many times that age. */
const latestLook = 1.5

/** What a policy said at one of the task's ages, and what was true. */
export interface Judgement {
  readonly ageHours: number
  /** The policy took it for stalled, all its looks included, whether or not a guard then held. */
  readonly flagged: boolean
  readonly stagnant: boolean
}

/** What became known about one post in the course of its replay. */
export class Grader {
  readonly judgements: Judgement[] = []
  /** At the first action; null where it cannot be told, or nothing was done. */
  stagnantWhenActed: boolean | null = null
  #acted = false
  readonly #post: RecordedPost
  #steadied: Steadied | null = null
  #task = 0

  constructor(post: RecordedPost) {
    this.#post = post
  }

  /** At one hour, when looks begin. */
  get stagnant(): boolean | null {
    return this.judgements.find(({ ageHours }) => ageHours === taskHours[0])?.stagnant ?? null
  }

  note(verdict: Verdict, ageMs: number, baseline: AccountBaseline | null): void {
    if (verdict.kind === 'plan' && !this.#acted) {
      this.#acted = true
      this.stagnantWhenActed = this.#isStagnantAt(ageMs, baseline)
    }
    let ageHours = taskHours[this.#task]
    while (ageHours !== undefined && ageMs >= ageHours * hourMs) {
      this.#judge(verdict, ageHours, ageMs, baseline)
      this.#task += 1
      ageHours = taskHours[this.#task]
    }
  }

  #judge(
    verdict: Verdict,
    ageHours: number,
    ageMs: number,
    baseline: AccountBaseline | null,
  ): void {
    if (ageMs > latestLook * ageHours * hourMs) return
    const stagnant = this.#isStagnantAt(ageMs, baseline)
    if (stagnant === null) return
    this.judgements.push({ ageHours, flagged: isFlag(verdict), stagnant })
  }

  /** Null where nobody can tell: it was not read to the end, or too few past posts were known. */
  #isStagnantAt(ageMs: number, known: AccountBaseline | null): boolean | null {
    if (known === null || known.baseline.size < minimumCurves || this.#post.actedOn) return null
    const { agesMs, engagements } = this.#post
    this.#steadied ??= steady(Array.from(agesMs), Array.from(engagements))
    if (this.#steadied.kind === 'fell') return null
    const now = countAt(this.#steadied.series, ageMs)
    const end = countAt(this.#steadied.series, horizonMs)
    const expected = expectedGainAt(known.baseline, ageMs)
    if (now === null || end === null || expected === null) return null
    return end - now < stagnantShare * expected
  }
}

function isFlag(verdict: Verdict): boolean {
  return verdict.kind === 'plan' || (verdict.kind === 'hold' && verdict.reason !== 'confirming')
}
