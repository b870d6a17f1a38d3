/** Shows that fault plans hit what they are meant for. */

import { describe, expect, it } from 'vitest'
import { noFault, noFaults, onNextWrites, onSegment, randomFaults } from './fault-plan.ts'
import type { CallFacts } from './fault-plan.ts'
import { seededRandom } from './seeded-random.ts'

const read: CallFacts = {
  number: 1,
  kind: 'counters',
  isWrite: false,
  handle: 'anna',
  at: 0,
  key: null,
  segment: null,
}
const write: CallFacts = { ...read, kind: 'create', isWrite: true, segment: 0 }
const lost = { kind: 'lost_answer' } as const
const spam = { kind: 'spam' } as const

describe('a fault plan', () => {
  it('of none lets everything pass', () => {
    expect([noFaults(read), noFaults(write)]).toEqual([noFault, noFault])
  })

  it('for the next writes passes over reads, and ends', () => {
    const plan = onNextWrites(lost, noFault, spam)
    const decisions = [write, read, write, write, write].map(plan)
    expect(decisions).toEqual([lost, noFault, noFault, spam, noFault])
  })

  it('for a segment leaves the others of the thread alone', () => {
    const plan = onSegment(1, lost)
    const decisions = [0, 1, 2, 1].map((segment) => plan({ ...write, segment }))
    expect(decisions).toEqual([noFault, lost, noFault, lost])
  })

  it('by chance keeps to its odds, and can be replayed', () => {
    const table = [
      { odds: 0.1, draw: () => lost, on: 'writes' },
      { odds: 0.2, draw: () => spam, on: 'both' },
    ] as const
    const run = (call: CallFacts) => {
      const plan = randomFaults(seededRandom('faults'), table)
      return Array.from({ length: 10_000 }, () => plan(call).kind)
    }
    const share = (kinds: readonly string[], kind: string) =>
      kinds.filter((each) => each === kind).length / kinds.length
    expect(share(run(write), 'lost_answer')).toBeCloseTo(0.1, 1)
    expect(share(run(write), 'spam')).toBeCloseTo(0.2, 1)
    expect(share(run(read), 'lost_answer')).toBe(0)
    expect(share(run(read), 'spam')).toBeCloseTo(0.2, 1)
    expect(run(write)).toEqual(run(write))
  })
})
