/** A limit that is nearly used up stops an account until it is full again, and no longer. */

import { beforeEach, describe, expect, test } from 'vitest'
import { toAccountId } from '../core/ids.ts'
import { Stage } from '../../test/builders/engine.ts'
import { openMemoryLedger } from '../ledger/open-ledger.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { Limits } from './limits.ts'

const ann = toAccountId('ann')
const bob = toAccountId('bob')
let now = 0
const clock = { now: () => now, monotonicMs: () => now, sleep: () => Promise.resolve() }
let ledger: Ledger
let limits: Limits

beforeEach(() => {
  now = 1000
  ledger = openMemoryLedger(clock)
  limits = new Limits(clock, ledger)
})

describe('limits', () => {
  test('an account rests from the last few calls on, until the limit is full again', async () => {
    limits.note(ann, { limit: 300, remaining: 7, resetAt: 5000 })
    expect(await limits.isSpent(ann)).toBe(false)
    limits.note(ann, { limit: 300, remaining: 6, resetAt: 5000 })
    expect(await limits.isSpent(ann)).toBe(true)
    expect(await limits.isSpent(bob)).toBe(false)
    now = 5000
    expect(await limits.isSpent(ann)).toBe(false)
  })

  test('the longest of several limits counts', async () => {
    limits.note(ann, { limit: 10, remaining: 0, resetAt: 9000 })
    limits.note(ann, { limit: 10, remaining: 0, resetAt: 5000 })
    now = 6000
    expect(await limits.isSpent(ann)).toBe(true)
  })

  test('other workers hear of it through the ledger, until it is full again', async () => {
    const other = new Limits(clock, ledger)
    limits.note(ann, { limit: 10, remaining: 0, resetAt: 5000 })
    expect(await other.isSpent(ann)).toBe(false)
    await limits.share(ann)
    now += 1000
    expect(await other.isSpent(ann)).toBe(true)
    expect(await other.isSpent(bob)).toBe(false)
    limits.note(ann, { limit: 10, remaining: 0, resetAt: 8000 })
    await limits.share(ann)
    now = 6000
    expect(await other.isSpent(ann)).toBe(true)
    now = 8000
    expect(await other.isSpent(ann)).toBe(false)
  })

  test('what says nothing stops nobody', async () => {
    limits.note(ann, { limit: 10, remaining: null, resetAt: 9000 })
    limits.note(ann, { limit: 10, remaining: 0, resetAt: null })
    expect(await limits.isSpent(ann)).toBe(false)
  })
})

test('an engine that hears of a used-up limit reads nothing until it is full', async () => {
  const stage = await Stage.open()
  stage.publish()
  await stage.turn()
  const { platform } = stage.network
  const spentUntil = stage.clock.now() + 3_600_000
  const observe = platform.observe.bind(platform)
  let reads = 0
  platform.observe = (options) => {
    reads += 1
    options.connection.note?.({ limit: 100, remaining: 0, resetAt: spentUntil })
    return observe(options)
  }
  await stage.until(async () => (reads > 0 ? true : null))
  const heard = reads
  await stage.pass(30 * 60_000)
  expect(reads).toBe(heard)
  await stage.pass(60 * 60_000)
  expect(reads).toBeGreaterThan(heard)
})
