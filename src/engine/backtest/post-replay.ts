/**
 * Owns the replay of one post: it is read when the policy would have read it, decided on with what
 * was known then, and what is planned counts as done at once. The counters go on as recorded.
 */

import type { Action, Tier } from '../../core/action.ts'
import type { Capabilities } from '../../core/capabilities.ts'
import { decide } from '../../core/decide.ts'
import { noPast } from '../../core/decision-input.ts'
import type { DecisionInput } from '../../core/decision-input.ts'
import type { PastAction, Tallies } from '../../core/history.ts'
import type { Instant } from '../../core/instant.ts'
import type { Look } from '../../core/look.ts'
import type { Policy } from '../../core/policy.ts'
import type { Sample } from '../../core/sample.ts'
import type { AccountBaseline } from '../../core/signal.ts'
import type { Verdict } from '../../core/verdict.ts'
import { reachOf } from '../../ledger/reach.ts'
import { nextCheckAt } from '../schedule.ts'
import { NeededSamples } from './needed-samples.ts'
import { sampleOf } from './recorded-post.ts'
import type { RecordedPost } from './recorded-post.ts'

/** Something that would have been done. */
export interface ReplayedAction {
  readonly at: Instant
  readonly ageMs: number
  readonly action: Action
  readonly tier: Tier
  readonly score: number
}

/** What all posts of a replay share. */
export interface Setting {
  readonly policy: Policy
  readonly capabilities: Capabilities
  readonly timeZone: string
}

/** A reading that comes this much of the interval too early is taken all the same. */
const earlyShare = 0.1

export class PostReplay {
  readonly post: RecordedPost
  readonly actions: ReplayedAction[] = []
  /** When it is looked at next; Infinity once its watch is over. */
  at: Instant = Infinity
  readonly #setting: Setting
  readonly #needed: NeededSamples
  /** What stays the same from look to look. */
  readonly #given: Pick<DecisionInput, 'post' | keyof typeof noPast> & Setting
  readonly #looksMs: number
  readonly #history: PastAction[] = []
  #looks: readonly Look[] = []
  /** The reading that is looked at next. */
  #index = 0

  constructor(post: RecordedPost, setting: Setting) {
    this.post = post
    this.#setting = setting
    const { id, publishedAt } = post
    this.#given = { ...noPast, ...setting, post: { id, publishedAt, neverTouch: false } }
    this.#needed = new NeededSamples(setting.policy, post.publishedAt)
    this.#looksMs = reachOf(setting.policy).looksMs
    this.#arrange(-Infinity)
  }

  /** Looks at the post at its time, and arranges the next look. */
  look(baseline: AccountBaseline | null, tallies: Tallies): Verdict {
    const { post } = this
    const now = this.at
    const sample = sampleOf(post, this.#index)
    this.#needed.add(sample)
    const input: DecisionInput = {
      ...this.#given,
      samples: this.#needed.now(),
      looks: this.#looks,
      baseline,
      history: this.#history,
      tallies,
      now,
    }
    const verdict = decide(input)
    this.#remember(verdict, sample)
    const next = nextCheckAt(post.publishedAt, now, this.#setting.policy)
    this.#index += 1
    this.#arrange(next === null ? Infinity : next - (next - now) * earlyShare)
    return verdict
  }

  /** The next look is at the first reading from then on. */
  #arrange(from: Instant): void {
    const { agesMs, publishedAt } = this.post
    const fromAgeMs = from - publishedAt
    while (this.#index < agesMs.length && (agesMs[this.#index] as number) < fromAgeMs) {
      this.#index += 1
    }
    this.at = publishedAt + (agesMs[this.#index] ?? Infinity)
  }

  #remember(verdict: Verdict, { at }: Sample): void {
    if (verdict.kind === 'insufficient') return
    const { score, trace } = verdict
    const stalled = verdict.kind !== 'healthy'
    const look: Look = { at: trace.evidence.lastAt ?? at, policy: trace.policy, score, stalled }
    // No count of looks goes back beyond a healthy one.
    const since = at - this.#looksMs
    this.#looks = stalled ? [look, ...this.#looks.filter((each) => each.at >= since)] : [look]
    if (verdict.kind !== 'plan') return
    const { key, action, tier } = verdict
    this.#history.push({ key, action, tier, state: 'success', at, endedAt: at })
    this.actions.push({ at, ageMs: at - this.post.publishedAt, action, tier, score })
  }
}
