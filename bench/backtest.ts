/**
 * Times a backtest on made-up posts of 144 readings: `node bench/backtest.ts [posts] [accounts]`.
 * Printed are seconds of one core, so that what else runs on the machine matters less, the ratio to
 * the same number of posts of a single account, and, on a small part of the posts, the ratio of
 * replaying with all readings handed to every decision.
 */

import { everythingSupported } from '../src/core/capabilities.ts'
import { decide } from '../src/core/decide.ts'
import { noPast } from '../src/core/decision-input.ts'
import { dayMs, hourMs, minuteMs } from '../src/core/duration.ts'
import { standardPolicy } from '../src/core/policies/standard.ts'
import { backtest } from '../src/engine/backtest.ts'
import { PastPosts } from '../src/engine/backtest/past-posts.ts'
import { samplesOf } from '../src/engine/backtest/recorded-post.ts'
import type { RecordedPost } from '../src/engine/backtest/recorded-post.ts'
import { seededRandom } from '../src/platform/simulated/index.ts'

const count = Number(process.argv[2] ?? 100_000)
const accountCount = Number(process.argv[3] ?? 50)
const start = Date.UTC(2026, 0, 1, 12)
const agesMs = Float64Array.from({ length: 144 }, (_, slice) => (slice + 1) * 20 * minuteMs)
const stream = seededRandom('backtest')

function makePost(index: number, accounts: number): RecordedPost {
  const total = stream.logNormal(60, 1)
  const fadeMs = stream.logNormal(3 * hourMs, 0.8)
  let expected = 0
  let gained = 0
  return {
    id: `post-${index}`,
    account: `account-${index % accounts}`,
    platform: 'made-up',
    // Each account posts every eight hours, or every two days where it is the only one.
    publishedAt: start + Math.floor(index / accounts) * (accounts === 1 ? 2 * dayMs : 8 * hourMs),
    agesMs,
    engagements: agesMs.map((ageMs) => {
      const share = 1 - Math.exp(-ageMs / fadeMs)
      gained += Math.floor(total * (share - expected) + stream.fraction())
      expected = share
      return gained
    }),
    impressions: null,
    weight: 1,
    actedOn: false,
  }
}

function cpuSecondsOf(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** The same decisions with everything handed to each, for comparison. */
function replayPlainly(posts: readonly RecordedPost[]): number {
  const past = new PastPosts(posts)
  let looks = 0
  for (const post of posts) {
    const samples = samplesOf(post)
    samples.forEach(({ at }, index) => {
      looks += 1
      decide({
        ...noPast,
        post: { id: post.id, publishedAt: post.publishedAt, neverTouch: false },
        timeZone: 'UTC',
        capabilities: everythingSupported,
        samples: samples.slice(0, index + 1),
        baseline: past.baselineOf(post, at),
        policy: standardPolicy,
        now: at,
      })
    })
  }
  return looks
}

function makePosts(posts: number, accounts: number): readonly RecordedPost[] {
  return Array.from({ length: posts }, (_, index) => makePost(index, accounts))
}

/** Microseconds a look, and how many there were. */
function replay(posts: readonly RecordedPost[]) {
  let looks = 0
  const seconds = cpuSecondsOf(() => {
    looks = backtest(posts, standardPolicy).looks
  })
  return { looks, seconds, each: (seconds / looks) * 1e6 }
}

const { looks, seconds, each } = replay(makePosts(count, accountCount))
console.log(
  `${count} posts of ${accountCount} accounts, ${looks} looks: ` +
    `${seconds.toFixed(1)} s of CPU, ${each.toFixed(2)} µs a look`,
)
const alone = replay(makePosts(Math.min(count, 10_000), 1))
console.log(
  `of 1 account: ${alone.each.toFixed(2)} µs a look, ratio ${(each / alone.each).toFixed(1)}`,
)
const few = makePosts(1000, 1)
let plainLooks = 0
const plainSeconds = cpuSecondsOf(() => {
  plainLooks = replayPlainly(few)
})
const plainEach = (plainSeconds / plainLooks) * 1e6
const ratio = (plainEach / replay(few).each).toFixed(1)
console.log(`with all readings at hand: ${plainEach.toFixed(2)} µs a look, ratio ${ratio}`)
