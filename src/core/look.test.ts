/** Tests when a post has looked stalled often enough in a row. */

import { describe, expect, it } from 'vitest'
import { ago } from '../../test/builders/decision.ts'
import { hourMs, minuteMs } from './duration.ts'
import { countStalledLooks } from './look.ts'
import type { Look } from './look.ts'

const policy = { required: 3, minimumSpacingMs: 5 * minuteMs, maximumGapMs: 2 * hourMs }

function look(minutesAgo: number, changes: Partial<Look> = {}): Look {
  return { at: ago(minutesAgo), policy: 'standard@1', score: 0.7, stalled: true, ...changes }
}

const healthy = { stalled: false, score: 0.1 }

function count(earlier: readonly Look[], current = look(0)): number {
  return countStalledLooks(current, earlier, policy).stalled
}

describe('countStalledLooks', () => {
  it.each([
    ['none before', [], 1],
    ['one before', [look(10)], 2],
    ['two before', [look(10), look(20)], 3],
    ['more than are needed', [look(10), look(20), look(30), look(40)], 3],
    ['two at exactly the least spacing', [look(5), look(10)], 3],
    ['one a moment too close', [look(4.999), look(10)], 2],
    ['some in between that are too close', [look(1), look(2), look(6), look(7), look(12)], 3],
    ['two with exactly the longest gap', [look(120), look(240)], 3],
    ['a gap that is too long', [look(10), look(130.001), look(140)], 2],
    ['a gap bridged by a look that is too close to count', [look(4), look(122)], 2],
    ['a healthy one between', [look(10), look(20, healthy), look(30)], 2],
    ['a healthy one at the same time as a stalled one', [look(10), look(10, healthy)], 1],
    ['another policy between', [look(10), look(15, { policy: 'standard@2' }), look(20)], 3],
    ['only another version', [look(10, { policy: 'standard@2' })], 1],
    ['the same sample looked at again', [look(0), look(0), look(10)], 2],
    ['one of a newer sample', [look(-5), look(10)], 2],
  ])('with %s', (_, earlier, stalled) => {
    expect(count(earlier)).toBe(stalled)
    expect(count(earlier.toReversed())).toBe(stalled)
  })

  it('counts none where this look is healthy', () => {
    expect(count([look(10), look(20)], look(0, healthy))).toBe(0)
  })

  it('adds none for the same sample looked at again, however close looks may be', () => {
    const close = { ...policy, minimumSpacingMs: 0 }
    const earlier = [look(0), look(0, healthy), look(0.001)]
    expect(countStalledLooks(look(0), earlier, close).stalled).toBe(2)
  })

  it('is satisfied with this look where one is required', () => {
    const report = countStalledLooks(look(0), [look(10)], { ...policy, required: 1 })
    expect(report).toEqual({ stalled: 1, required: 1 })
  })
})
