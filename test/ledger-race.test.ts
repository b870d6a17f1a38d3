/**
 * Eight processes race for the same plans on one ledger. Afterwards each key was claimed once, and
 * no window, cooldown or budget was ever exceeded (I1, I2, I3), by a count of the auditor's own.
 *
 * A short race runs with the other tests; `SECONDWIND_TEST_FULL=1` runs it with 1,000 plans.
 * `SECONDWIND_TEST_SEED` gives it another order. Which process is faster no seed decides.
 */

import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDatabase } from './support/postgres.ts'
import { findViolations } from './torture/race-audit.ts'
import { runRace } from './torture/race.ts'
import type { RaceResult } from './torture/race.ts'
import { limits } from './torture/race-world.ts'

const isFull = process.env['SECONDWIND_TEST_FULL'] === '1'
const plans = isFull ? 1000 : 192
const seed = process.env['SECONDWIND_TEST_SEED'] ?? 'race'
const timeout = isFull ? 900_000 : 120_000

const allDone = { actions: plans, open: 0, attempts: plans }

function summaryOf({ actions, attempts }: RaceResult) {
  const open = actions.filter(({ state }) => state !== 'success' && state !== 'failed')
  return { actions: actions.length, open: open.length, attempts: attempts.length }
}

/** A race in which nobody lost and nothing was held would prove nothing. */
function expectToHaveBitten({ holds }: RaceResult): void {
  expect([...holds.keys()]).toEqual(
    expect.arrayContaining([
      'taken',
      'account_budget',
      'platform_budget',
      'window_frequency',
      'action_cooldown',
    ]),
  )
}

describe('eight processes that race for the same plans', () => {
  test('claim each once and keep every limit on one SQLite file', { timeout }, async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'secondwind-race-'))
    const address = { store: 'sqlite', path: join(folder.path, 'ledger.db') } as const
    const result = await runRace({ address, plans, seed, time: 'moved' })
    expect(findViolations(result), `seed ${seed}`).toEqual([])
    expect(summaryOf(result)).toEqual(allDone)
    expectToHaveBitten(result)
  })

  test('claim each once and keep every limit on one Postgres', { timeout }, async () => {
    const address = { store: 'postgres', connectionString: await freshDatabase() } as const
    const result = await runRace({ address, plans, seed, time: 'moved' })
    expect(findViolations(result), `seed ${seed}`).toEqual([])
    expect(summaryOf(result)).toEqual(allDone)
    expectToHaveBitten(result)
  })

  test('keep every limit by the clock of the server, and use it up', { timeout }, async () => {
    const address = { store: 'postgres', connectionString: await freshDatabase() } as const
    const result = await runRace({ address, plans, seed, time: 'server' })
    expect(findViolations(result), `seed ${seed}`).toEqual([])
    expectToHaveBitten(result)
    const sent = Map.groupBy(result.attempts, ({ platform }) => platform)
    expect([...sent.values()].map(({ length }) => length)).toEqual([
      limits.platformMaximum,
      limits.platformMaximum,
    ])
  })
})
