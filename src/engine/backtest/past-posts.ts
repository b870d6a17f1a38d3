/**
 * Owns what is known, at a moment of the replay, of the posts that had matured by then: the same
 * baseline that an engine would have had. As the recorded counters show no effect of what the
 * replay would have done, every post that nobody acted on in truth is in it.
 */

import { horizonMs } from '../../core/age-rank/ages.ts'
import { borrowUpTo, chooseCurves, layOut, rollingWindow } from '../../core/age-rank/baseline.ts'
import { curveOf } from '../../core/age-rank/curve.ts'
import type { Curve } from '../../core/age-rank/curve.ts'
import { firstAtOrAfter } from '../../core/age-rank/series.ts'
import { fitModel, priorModel } from '../../core/age-rank/model.ts'
import { dayMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import type { AccountBaseline } from '../../core/signal.ts'
import { samplesOf } from './recorded-post.ts'
import type { RecordedPost } from './recorded-post.ts'

/**
 * A baseline is laid out again once this share of it is new, and its weights, which move slowly,
 * are fitted again after more. Doing so for every post that matures would take most of the time,
 * and one post of 200 changes next to nothing.
 */
const renewShare = 0.2
const refitShare = 0.5

/** While an account borrows, others' posts mature all the time: it looks at them once a day. */
const borrowAgainMs = dayMs

interface Known {
  readonly account: string
  /** As others see it, not as its own. */
  readonly curve: Curve
}

interface AccountPast {
  readonly curves: Curve[]
  /** How many of its posts have ever matured: now, when it was laid out, when it was fitted. */
  matured: number
  maturedThen: number
  maturedAtFit: number
  laidOutAt: Instant
  value: AccountBaseline | null
}

export class PastPosts {
  /** In the order in which they are known to have matured. */
  readonly #maturing: readonly { readonly at: Instant; readonly post: RecordedPost }[]
  readonly #accounts = new Map<string, AccountPast>()
  readonly #platforms = new Map<string, Known[]>()
  #next = 0

  constructor(posts: readonly RecordedPost[]) {
    this.#maturing = posts
      .flatMap((post) => {
        const first = firstAtOrAfter(Array.from(post.agesMs), horizonMs)
        const ageMs = post.agesMs[first]
        if (ageMs === undefined || post.actedOn) return []
        return [{ at: post.publishedAt + ageMs, post }]
      })
      .sort((a, b) => a.at - b.at)
  }

  /** What the account's past posts were like at this moment. Moments must not go back. */
  baselineOf({ account, platform }: RecordedPost, now: Instant): AccountBaseline | null {
    this.#matureUntil(now)
    const past = this.#pastOf(account)
    if (isFresh(past, now)) return past.value
    const curves = this.#choose(past.curves, account, platform)
    if (curves.length === 0) return null
    const baseline = layOut(curves)
    const isFitted = past.value !== null && past.value.model.ownPosts > 0
    const since = past.matured - past.maturedAtFit
    const refits = !isFitted || since >= refitShare * past.curves.length
    if (refits) past.maturedAtFit = past.matured
    const model = refits ? fitModel(baseline) : past.value?.model
    past.value = { baseline, model: model ?? priorModel }
    past.maturedThen = past.matured
    past.laidOutAt = now
    return past.value
  }

  #matureUntil(now: Instant): void {
    for (; ; this.#next += 1) {
      const entry = this.#maturing[this.#next]
      if (entry === undefined || entry.at > now) return
      const { post } = entry
      const result = curveOf(samplesOf(post), post.publishedAt, { weight: post.weight, own: true })
      if (result.kind === 'no_curve') continue
      const past = this.#pastOf(post.account)
      past.matured += 1
      keepNewest(past.curves, result.curve)
      const others = this.#platforms.get(post.platform) ?? []
      this.#platforms.set(post.platform, others)
      keepNewest(others, { account: post.account, curve: { ...result.curve, own: false } })
    }
  }

  #choose(own: readonly Curve[], account: string, platform: string): readonly Curve[] {
    if (own.length >= borrowUpTo) return chooseCurves(own)
    const others = (this.#platforms.get(platform) ?? [])
      .filter((known) => known.account !== account)
      .map(({ curve }) => curve)
    return chooseCurves([...own, ...others])
  }

  #pastOf(account: string): AccountPast {
    const known = this.#accounts.get(account)
    if (known !== undefined) return known
    const past: AccountPast = {
      curves: [],
      matured: 0,
      maturedThen: 0,
      maturedAtFit: 0,
      laidOutAt: -Infinity,
      value: null,
    }
    this.#accounts.set(account, past)
    return past
  }
}

function isFresh({ curves, matured, maturedThen, laidOutAt, value }: AccountPast, now: Instant) {
  if (value === null) return false
  if (curves.length < borrowUpTo) return now - laidOutAt < borrowAgainMs
  return matured - maturedThen < renewShare * curves.length
}

function keepNewest<Item>(list: Item[], item: Item): void {
  list.push(item)
  if (list.length > rollingWindow) list.shift()
}
