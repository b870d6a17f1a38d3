/**
 * Real workers on a real Postgres, while workers are killed, the server is restarted and killed,
 * the network to it is cut and stalls, clocks are minutes apart, and the queue loses jobs and
 * delivers them twice. When all has calmed down, every promise has held, by the simulator's own
 * checks and by what people and workers were told. Bugs that are planted must be found.
 *
 * A short form runs with the other tests; `SECONDWIND_TEST_FULL=1` goes on for ten minutes.
 * `SECONDWIND_TEST_SEED` gives the blows another order. Who is faster no seed decides.
 */

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { minuteMs, secondMs } from '../src/core/duration.ts'
import { seededRandom } from '../src/platform/simulated/index.ts'
import { systemClock } from '../src/system.ts'
import { findViolations } from './chaos/audit.ts'
import { runChaos } from './chaos/chaos.ts'
import type { ChaosSettings } from './chaos/chaos.ts'
import { doctorings } from './chaos/doctored.ts'
import type { Facts } from './chaos/facts.ts'
import { shuffledBlows } from './chaos/storm.ts'
import type { Blow } from './chaos/storm.ts'
import { narrowAccounts, narrowPerHour } from './chaos/world.ts'
import { startPostgres } from './support/postgres.ts'
import type { TestPostgres } from './support/postgres.ts'

const isFull = process.env['SECONDWIND_TEST_FULL'] === '1'
const seed = process.env['SECONDWIND_TEST_SEED'] ?? 'chaos'
const stormMs = isFull ? 7 * minuteMs : 0
const timeout = isFull ? 20 * minuteMs : 3 * minuteMs

let server: TestPostgres

beforeAll(async () => {
  server = await startPostgres()
}, 60_000)

afterAll(() => server.stop())

/** One deck of blows after another, until the time is over; always a whole one. */
function* blowsFor(durationMs: number): Generator<Blow> {
  const random = seededRandom(`${seed}:blows`)
  const end = systemClock.monotonicMs() + durationMs
  do yield* shuffledBlows(random)
  while (systemClock.monotonicMs() < end)
}

function run(changes: Partial<ChaosSettings>): Promise<Facts> {
  return runChaos({
    server,
    seed,
    workers: 4,
    blows: [],
    postsPerAccount: 2,
    waveMs: 0.4 * secondMs,
    misdelivery: { lost: 5, doubled: 15 },
    bug: null,
    skipsSilence: !isFull,
    restsWithinMs: isFull ? 5 * minuteMs : minuteMs,
    ...changes,
  })
}

function claimsOf({ contents }: Facts, accountId: string): number {
  const own = contents.actions.filter((row) => row.accountId === accountId)
  return own.filter(({ firstClaimedAt }) => firstClaimedAt !== null).length
}

describe('workers in chaos', () => {
  let facts: Facts

  beforeAll(async () => {
    process.stdout.write(`chaos with SECONDWIND_TEST_SEED=${seed}\n`)
    facts = await run({ blows: blowsFor(stormMs) })
  }, timeout)

  test('keep every promise', () => {
    expect(findViolations(facts), `seed ${seed}`).toEqual([])
  })

  test('have had enough to do', () => {
    expect(facts.book.attempts.size).toBeGreaterThan(facts.contents.posts.length / 2)
    const writes = [...facts.networks.values()].flatMap(({ faults }) => faults.writes)
    expect(writes.filter(({ fault }) => fault.kind !== 'none').length).toBeGreaterThan(5)
    for (const id of narrowAccounts) expect(claimsOf(facts, id)).toBe(narrowPerHour)
  })

  test.each(doctorings)('would not get away with $what ($breaks)', ({ change, breaks }) => {
    expect(promisesIn(change(facts))).toContain(breaks)
  })
})

describe.concurrent('a bug that is planted', () => {
  const calm = {
    workers: 1,
    waveMs: 10 * secondMs,
    skipsSilence: true,
    misdelivery: { lost: 0, doubled: 0 },
    restsWithinMs: 4 * secondMs,
  } as const

  test('claiming what others have is found (I1)', { timeout }, async () => {
    const misdelivery = { lost: 0, doubled: 100 }
    const facts = await run({ ...calm, misdelivery, bug: 'claims_regardless', blows: ['none'] })
    expect(promisesIn(facts)).toContain('I1')
  })

  test('sending again without asking is found (I6)', { timeout }, async () => {
    const everyWrite = { kind: 'lost_answer' } as const
    const facts = await run({ ...calm, bug: 'retries_inside', everyWrite, blows: ['none'] })
    expect(promisesIn(facts)).toContain('I6')
  })

  test('sending in a pause is found (I11)', { timeout }, async () => {
    const blows = ['pause', 'pause', 'pause', 'none', 'none'] as const
    const facts = await run({ ...calm, bug: 'deaf_to_pauses', blows })
    expect(promisesIn(facts)).toContain('I11')
  })
})

function promisesIn(facts: Facts): readonly string[] {
  return [...new Set(findViolations(facts).map((what) => what.slice(0, what.indexOf(':'))))]
}
