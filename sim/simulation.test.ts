/** The promises hold in simulated years, and the simulator finds what breaks them. */

import { beforeAll, describe, expect, test } from 'vitest'
import { crashEverywhere, stories, tell } from './crash-everywhere.ts'
import { hunt } from './hunt.ts'
import type { Hunt } from './hunt.ts'
import { inParallel } from './parallel.ts'
import { plantedBugs } from './planted-bugs/all.ts'
import { simulateYear } from './year.ts'
import { wordFailure } from './words.ts'
import { addUp, simulateYears } from './years.ts'
import type { Total } from './years.ts'

const patienceMs = 600_000

describe('twenty simulated years', () => {
  let total: Total

  beforeAll(async () => {
    total = addUp(await simulateYears({ seed: 1, years: 20 }))
  }, patienceMs)

  test('break no promise', () => {
    expect(total.failed.flatMap(wordFailure)).toEqual([])
  })

  test('have a thousand sends and a hundred crashes each', () => {
    expect(total.years).toBe(20)
    expect(total.fewestSends).toBeGreaterThanOrEqual(1000)
    expect(total.fewestCrashes).toBeGreaterThanOrEqual(100)
  })

  test('reach every state, every step between states and every guard', () => {
    expect(total.missed).toEqual([])
  })

  test('meet every kind of fault', () => {
    const kinds = Object.keys(total.faults).sort()
    expect(kinds).toEqual([
      'ledger busy',
      'ledger damaged',
      'ledger failed_after',
      'ledger failed_before',
      'ledger full',
      'ledger slow_after',
      'ledger slow_before',
      'network credentials',
      'network late_apply',
      'network lost_answer',
      'network lost_request',
      'network malformed',
      'network rate_limited',
      'network server_error',
      'network slow',
      'network spam',
      'network stalled',
      'network unreachable',
    ])
  })
})

describe('one seed', () => {
  test(
    'gives one history, event by event, in any thread',
    async () => {
      const order = { seed: 7, days: 40, bug: null }
      const hashes: string[] = []
      await inParallel([order, order], async (each, simulate) => {
        hashes.push((await simulate(each)).eventsHash)
      })
      const here = await simulateYear({ seed: 7, days: 40 })
      expect(here.sends).toBeGreaterThan(0)
      expect(hashes).toEqual([here.eventsHash, here.eventsHash])
      const other = await simulateYear({ seed: 8, days: 40 })
      expect(other.eventsHash).not.toBe(here.eventsHash)
    },
    patienceMs,
  )
})

describe('a crash at every await', () => {
  test.each(stories)(
    'of $name breaks no promise',
    async (story) => {
      const whole = await tell(story)
      expect(whole.violations).toEqual([])
      expect(whole.sends).toBeGreaterThan(0)
      const { crashes, failed } = await crashEverywhere(story)
      expect(crashes).toBe(2 * whole.awaits)
      expect(failed).toEqual([])
    },
    patienceMs,
  )
})

describe('a planted bug', () => {
  let hunts: ReadonlyMap<string, Hunt>

  beforeAll(async () => {
    hunts = new Map((await hunt(plantedBugs)).map((each) => [each.bug.name, each]))
  }, patienceMs)

  test('is planted for each promise, twenty in all at least', () => {
    const broken = new Set(plantedBugs.map(({ breaks }) => breaks))
    const promises = Array.from({ length: 11 }, (_, index) => `I${index + 1}`)
    expect(promises.filter((promise) => !broken.has(promise as 'I1'))).toEqual([])
    expect(plantedBugs.length).toBeGreaterThanOrEqual(20)
  })

  test.each(plantedBugs)('$name ($mistake) is reported as $breaks', ({ name, breaks }) => {
    expect(hunts.get(name)?.reported.map(({ promise }) => promise)).toContain(breaks)
  })
})
