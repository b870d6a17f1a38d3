/**
 * Replays a policy over recorded posts, without any network: what it would have done and when, and
 * how right that was. Posts run side by side in the order of time, so that budgets and baselines
 * are those of the moment. What would have been done is taken to have had no effect on counters.
 */

import { everythingSupported } from '../core/capabilities.ts'
import type { Capabilities } from '../core/capabilities.ts'
import { dayMs } from '../core/duration.ts'
import { noTallies } from '../core/history.ts'
import type { Tallies, TallyEntry } from '../core/history.ts'
import { Heap } from '../core/heap.ts'
import type { Instant } from '../core/instant.ts'
import { policyId } from '../core/policy.ts'
import type { Policy } from '../core/policy.ts'
import type { Verdict } from '../core/verdict.ts'
import { reachOf } from '../ledger/reach.ts'
import { Grader } from './backtest/grade.ts'
import type { Judgement } from './backtest/grade.ts'
import { PastPosts } from './backtest/past-posts.ts'
import { PostReplay } from './backtest/post-replay.ts'
import type { Setting } from './backtest/post-replay.ts'
import type { RecordedPost } from './backtest/recorded-post.ts'
import { reportOf } from './backtest/report.ts'
import type { BacktestReport, PostOutcome } from './backtest/report.ts'

export interface BacktestOptions {
  /** What the platform can do; everything, unless said otherwise. */
  readonly capabilities?: Capabilities
  /** For quiet hours; UTC unless said otherwise. By account where they live apart. */
  readonly timeZone?: string | ((account: string) => string)
  /** Posts from before this are not replayed: they are only the past of the others. */
  readonly since?: Instant
  /** Told now and then how many posts are done. */
  readonly onProgress?: (done: number, all: number) => void
}

/** Told after so many posts. */
const progressEvery = 500

export function backtest(
  posts: readonly RecordedPost[],
  policy: Policy,
  options: BacktestOptions = {},
): BacktestReport {
  const replay = new Replay(posts, policy, options)
  let done = 0
  while (replay.step()) {
    if (replay.done === done) continue
    done = replay.done
    if (done % progressEvery === 0) options.onProgress?.(done, replay.all)
  }
  options.onProgress?.(replay.all, replay.all)
  return replay.report()
}

/** A post that is under way, at its place in the order of the given posts. */
interface Underway {
  readonly index: number
  readonly replay: PostReplay
  readonly grader: Grader
  at: Instant
  looks: number
  scored: number
}

class Replay {
  done = 0
  /** How many posts are replayed. */
  readonly all: number
  readonly #policy: Policy
  readonly #settings: Settings
  readonly #past: PastPosts
  readonly #budgets: Budgets
  readonly #agenda = new Heap<Underway>((a, b) => a.at < b.at)
  readonly #outcomes: PostOutcome[] = []
  readonly #judgements: Judgement[] = []
  readonly #reasons = new Map<string, number>()
  /** Those that have not begun, the next one last. */
  readonly #waiting: { readonly index: number; readonly post: RecordedPost }[]

  constructor(posts: readonly RecordedPost[], policy: Policy, options: BacktestOptions) {
    const { since = -Infinity } = options
    this.#policy = policy
    this.#settings = new Settings(policy, options)
    this.#past = new PastPosts(posts)
    this.#budgets = new Budgets(policy)
    this.#waiting = posts
      .filter(({ publishedAt }) => publishedAt >= since)
      .map((post, index) => ({ index, post }))
      .sort((a, b) => b.post.publishedAt - a.post.publishedAt || b.index - a.index)
    this.all = this.#waiting.length
  }

  /** Takes the earliest look of all; false once there is none. */
  step(): boolean {
    this.#begin()
    const underway = this.#agenda.first
    if (underway === undefined) return false
    if (underway.at === Infinity) this.#finish(underway)
    else this.#look(underway)
    return true
  }

  report(): BacktestReport {
    return reportOf({
      policy: policyId(this.#policy),
      outcomes: this.#outcomes,
      judgements: this.#judgements,
      reasons: this.#reasons,
    })
  }

  /** Begins what was published before the earliest look: only these are kept at hand. */
  #begin(): void {
    for (let next = this.#waiting.at(-1); next !== undefined; next = this.#waiting.at(-1)) {
      const earliest = this.#agenda.first
      if (earliest !== undefined && earliest.at < next.post.publishedAt) return
      this.#waiting.pop()
      const replay = new PostReplay(next.post, this.#settings.of(next.post))
      const grader = new Grader(next.post)
      const { index } = next
      this.#agenda.add({ index, replay, grader, at: replay.at, looks: 0, scored: 0 })
    }
  }

  #look(underway: Underway): void {
    const { replay, grader, at: now } = underway
    const { post } = replay
    const baseline = this.#past.baselineOf(post, now)
    const verdict = replay.look(baseline, this.#budgets.of(post))
    grader.note(verdict, now - post.publishedAt, baseline)
    if (verdict.kind === 'plan') this.#budgets.spend(post, now)
    underway.looks += 1
    if (verdict.kind !== 'insufficient') underway.scored += 1
    this.#count(verdict)
    underway.at = replay.at
    if (underway.at === Infinity) this.#finish(underway)
    else this.#agenda.firstChanged()
  }

  #count(verdict: Verdict): void {
    const reason =
      verdict.kind === 'hold'
        ? verdict.reason
        : verdict.kind === 'insufficient'
          ? verdict.lack.reason
          : null
    if (reason !== null) this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1)
  }

  #finish({ index, replay, grader, looks, scored }: Underway): void {
    const { stagnant, stagnantWhenActed } = grader
    const { id, account } = replay.post
    const { actions } = replay
    const outcome = { id, account, looks, scored, actions, stagnant, stagnantWhenActed }
    this.#outcomes[index] = outcome
    for (const judgement of grader.judgements) this.#judgements.push(judgement)
    this.#agenda.removeFirst()
    this.done += 1
  }
}

/** What the posts of each account are replayed with. */
class Settings {
  readonly #accounts = new Map<string, Setting>()
  readonly #policy: Policy
  readonly #options: BacktestOptions

  constructor(policy: Policy, options: BacktestOptions) {
    this.#policy = policy
    this.#options = options
  }

  of({ account }: RecordedPost): Setting {
    const known = this.#accounts.get(account)
    if (known !== undefined) return known
    const { capabilities = everythingSupported, timeZone = 'UTC' } = this.#options
    const setting = {
      policy: this.#policy,
      capabilities,
      timeZone: typeof timeZone === 'string' ? timeZone : timeZone(account),
    }
    this.#accounts.set(account, setting)
    return setting
  }
}

/** What was done lately, by account and on each platform, as far as a budget looks back. */
class Budgets {
  readonly #accounts = new Map<string, Tallies>()
  readonly #platforms = new Map<string, TallyEntry[]>()
  readonly #platformMs: number

  constructor(policy: Policy) {
    this.#platformMs = reachOf(policy).platformMs
  }

  of({ account, platform }: RecordedPost): Tallies {
    const known = this.#accounts.get(account)
    if (known !== undefined) return known
    const shared = this.#platforms.get(platform)
    return shared === undefined ? noTallies : { account: [], platform: shared }
  }

  spend({ account, platform }: RecordedPost, at: Instant): void {
    const entry = { at, count: 1 }
    const shared = this.#platforms.get(platform) ?? []
    this.#platforms.set(platform, shared)
    dropBefore(shared, at - this.#platformMs)
    shared.push(entry)
    const own = (this.#accounts.get(account)?.account ?? []).filter((one) => one.at >= at - dayMs)
    this.#accounts.set(account, { account: [...own, entry], platform: shared })
  }
}

function dropBefore(entries: TallyEntry[], at: Instant): void {
  let count = 0
  while (count < entries.length && (entries[count] as TallyEntry).at < at) count += 1
  entries.splice(0, count)
}
