/** Housekeeping chains every event, sweeps what ran out, and is done by one process at a time. */

import { describe, expect, test } from 'vitest'
import { standardPolicy } from '../core/policies/standard.ts'
import { policyId } from '../core/policy.ts'
import { toAccountId } from '../core/ids.ts'
import { openMemoryLedger } from '../ledger/open-ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { VirtualClock } from '../testing/platform/virtual-clock.ts'
import { createHousekeeping } from './housekeeping.ts'

async function newLedger(clock: VirtualClock): Promise<Ledger> {
  const ledger = openMemoryLedger(clock)
  await ledger.savePolicy(standardPolicy)
  await ledger.saveAccount({
    id: toAccountId('ann'),
    platform: 'nowhere',
    handle: 'ann',
    mode: 'watch',
    timeZone: 'UTC',
    policy: policyId(standardPolicy),
    holdoutShare: 0,
    credentials: null,
    profile: null,
    status: 'active',
    statusReason: null,
    createdAt: clock.now(),
    discoverAt: null,
  })
  return ledger
}

function randomOf(name: string) {
  let count = 0
  return { fraction: () => 0.5, id: () => `${name}-${(count += 1)}` }
}

describe('housekeeping', () => {
  test('chains what happened, while it runs and when it is asked to', async () => {
    const clock = new VirtualClock()
    const ledger = await newLedger(clock)
    const housekeeping = createHousekeeping({ ledger, clock, random: randomOf('a') })
    expect((await ledger.verifyAudit()).unsealed).toBe(1)
    await housekeeping.tidy()
    expect(await ledger.verifyAudit()).toMatchObject({ unsealed: 0, entries: 1, problems: [] })
    void housekeeping.start()
    await ledger.pause({ scope: 'everything', target: '', reason: 'x', until: null, by: 'ann' })
    await clock.advance(10_000)
    expect(await ledger.verifyAudit()).toMatchObject({ unsealed: 0, entries: 2 })
    await housekeeping.stop()
  })

  test('of two processes one does it, and the other takes over when that one is gone', async () => {
    const clock = new VirtualClock()
    const ledger = await newLedger(clock)
    const sealed: string[] = []
    const noting = (name: string): Ledger => ({
      ...ledger,
      seal: (limit) => {
        sealed.push(name)
        return ledger.seal(limit)
      },
    })
    const first = createHousekeeping({ ledger: noting('a'), clock, random: randomOf('a') })
    const second = createHousekeeping({ ledger: noting('b'), clock, random: randomOf('b') })
    void first.start()
    void second.start()
    await clock.advance(30_000)
    expect(new Set(sealed)).toEqual(new Set(['a']))
    await first.stop()
    await clock.advance(30_000)
    expect(new Set(sealed)).toEqual(new Set(['a', 'b']))
    await second.stop()
  })

  test('goes on after a ledger that was busy', async () => {
    const clock = new VirtualClock()
    const ledger = await newLedger(clock)
    const problems: unknown[] = []
    let failures = 2
    const flaky: Ledger = {
      ...ledger,
      seal: (limit) => {
        failures -= 1
        return failures >= 0 ? Promise.reject(new Error('busy')) : ledger.seal(limit)
      },
    }
    const housekeeping = createHousekeeping({
      ledger: flaky,
      clock,
      random: randomOf('a'),
      onProblem: ({ error }) => problems.push(error),
    })
    void housekeeping.start()
    await clock.advance(30_000)
    expect(problems).toHaveLength(2)
    expect((await ledger.verifyAudit()).unsealed).toBe(0)
    await housekeeping.stop()
  })

  test('sweeps items whose time is over', async () => {
    const clock = new VirtualClock()
    const ledger = await newLedger(clock)
    await ledger.putItem('sessions', 'old', 1, null, clock.now() + 1000)
    const swept: number[] = []
    const noting: Ledger = {
      ...ledger,
      sweepItems: async (limit) => {
        const count = await ledger.sweepItems(limit)
        swept.push(count)
        return count
      },
    }
    const housekeeping = createHousekeeping({ ledger: noting, clock, random: randomOf('a') })
    void housekeeping.start()
    await clock.advance(2 * 3_600_000)
    await housekeeping.stop()
    expect(swept.reduce((sum, count) => sum + count, 0)).toBe(1)
  })
})
