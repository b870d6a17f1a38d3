/** Builds a ledger with a past: an engine that ran on a simulated network for some days. */

import { hourMs, minuteMs } from '../../src/core/duration.ts'
import { toAccountId } from '../../src/core/ids.ts'
import { standardPolicy } from '../../src/core/policies/standard.ts'
import type { Policy } from '../../src/core/policy.ts'
import { Secret } from '../../src/core/secret.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { MemoryStore, createLedger } from '../../src/ledger/index.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import { seededRandom, simulateNetwork } from '../../src/platform/simulated/index.ts'
import { VirtualClock } from '../../src/testing/platform/virtual-clock.ts'

/** Quick to decide and with one action, so that a few dozen posts are enough. */
export const quickPolicy: Policy = {
  ...standardPolicy,
  name: 'quick',
  detector: {
    detector: 'rate',
    multiplier: 20,
    minimumImpressions: 50,
    withoutImpressions: 'insufficient',
  },
  checks: [{ untilAgeMs: 5 * hourMs, everyMs: 30 * minuteMs }],
  looks: { required: 1, minimumSpacingMs: 0, maximumGapMs: 0 },
  ladder: { tier_1: ['comment'], tier_2: ['comment'], tier_3: ['comment'] },
  guards: [
    { guard: 'open_action' },
    { guard: 'lifetime_maximum', maximum: 1 },
    { guard: 'futility', maximum: 40 },
    { guard: 'holdout' },
  ],
}

export interface LifeWish {
  /** What a comment truly does to all that comes later. */
  readonly factor: number
  readonly posts: number
  readonly holdoutShare: number
  readonly seed?: string
  /** Spread of what posts get in all around the usual, in logarithms; all alike unless given. */
  readonly totalSpread?: number
}

export const ann = toAccountId('ann')

/** Runs the engine on a simulated network until every post was measured a day after its draw. */
export async function live(wish: LifeWish): Promise<Ledger> {
  const { factor, posts, holdoutShare, seed = 'learn', totalSpread } = wish
  const clock = new VirtualClock()
  const stream = seededRandom(seed)
  let made = 0
  const id = () => `id-${String((made += 1)).padStart(6, '0')}`
  const random = { fraction: () => stream.fraction(), id }
  const effect = { mean: factor, spread: 0 }
  const effects = { comment: effect, edit: effect, thread: effect }
  const forms = { purgedShare: 0, disputedShare: 0, totalSpread: totalSpread ?? 0 }
  const network = simulateNetwork({ profile: 'full', clock, random, effects, forms, lateShare: 0 })
  network.world.addAccount({ handle: 'ann', credentials: 'secret', usualTotal: 400 })
  const ledger = createLedger(new MemoryStore(clock))
  await ledger.savePolicy(quickPolicy)
  await ledger.saveAccount({
    id: ann,
    platform: network.platform.name,
    handle: 'ann',
    mode: 'auto',
    timeZone: 'UTC',
    policy: 'quick@1',
    holdoutShare,
    credentials: null,
    status: 'active',
    statusReason: null,
    createdAt: clock.now(),
    discoverAt: clock.now(),
    profile: null,
  })
  const engine = createEngine({
    ledger,
    platforms: [network.platform],
    clock,
    random,
    openCredentials: () => new Secret('secret'),
    content: {
      write: () => Promise.resolve({ kind: 'text', source: 'test', text: `More on this: ${made}` }),
    },
    onProblem: ({ error }) => {
      throw error
    },
  })
  const everyMs = hourMs
  const end = clock.now() + posts * everyMs + 30 * hourMs
  let nextPost = clock.now()
  for (let count = 0; clock.now() < end;) {
    if (count < posts && nextPost <= clock.now()) {
      const total = totalSpread === undefined ? { total: 400 } : {}
      network.world.publish('ann', { text: `Post ${count}`, kind: 'stalled', ...total })
      count += 1
      nextPost += everyMs
    }
    await engine.tick()
    const due = Math.min((await ledger.nextDueAt()) ?? Infinity, count < posts ? nextPost : end)
    await clock.advance(Math.max(1000, Math.min(due, end) - clock.now()))
  }
  return ledger
}
