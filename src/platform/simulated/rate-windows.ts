/** Owns how often one account may call: fixed windows, each begun by the first call in it. */

import type { Instant } from '../../core/instant.ts'
import type { RateRule } from './profile.ts'
import type { RateState } from './protocol.ts'

interface Window {
  startedAt: Instant
  used: number
}

export class RateWindows {
  readonly #rules: readonly RateRule[]
  readonly #windows: readonly Window[]

  constructor(rules: readonly RateRule[]) {
    this.#rules = rules
    this.#windows = rules.map(() => ({ startedAt: -Infinity, used: 0 }))
  }

  /** Counts one call. Where a window is full it returns when to come back, and counts nothing. */
  take(isWrite: boolean, now: Instant): number | null {
    for (let index = 0; index < this.#rules.length; index += 1) {
      const rule = this.#rules[index] as RateRule
      const window = this.#windows[index] as Window
      const isOver = now >= window.startedAt + rule.windowMs || now < window.startedAt
      if (isOver) {
        window.startedAt = now
        window.used = 0
      }
      const isFull = window.used >= rule.maximum && counts(rule, isWrite)
      if (isFull) return window.startedAt + rule.windowMs - now
    }
    for (let index = 0; index < this.#rules.length; index += 1) {
      if (counts(this.#rules[index] as RateRule, isWrite))
        (this.#windows[index] as Window).used += 1
    }
    return null
  }

  /** The window with the smallest share left. */
  state(now: Instant): RateState | null {
    let tightest: RateState | null = null
    for (const [index, { maximum, windowMs }] of this.#rules.entries()) {
      const { startedAt, used } = this.#windows[index] as Window
      const isOver = now >= startedAt + windowMs
      const remaining = isOver ? maximum : maximum - used
      if (tightest !== null && remaining / maximum >= tightest.remaining / tightest.limit) continue
      tightest = { limit: maximum, remaining, resetAt: isOver ? now : startedAt + windowMs }
    }
    return tightest
  }
}

function counts(rule: RateRule, isWrite: boolean): boolean {
  return isWrite || rule.counts === 'every_call'
}
