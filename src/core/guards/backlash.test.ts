/** Tests that a quarrel is left alone: replies far out of proportion to likes. */

import { describe, expect, it } from 'vitest'
import { reportOf, sampleAt } from '../../../test/builders/decision.ts'
import type { Interactions } from '../sample.ts'

function reportWith(interactions?: Interactions) {
  return reportOf('backlash', {
    samples: [sampleAt(10, 900, 1, { replies: 500, likes: 1 }), sampleAt(0, 900, 1, interactions)],
  })
}

describe('backlash', () => {
  it.each([
    [{ replies: 19, likes: 0 }, 'pass'],
    [{ replies: 20, likes: 0 }, 'hold'],
    [{ replies: 60, likes: 20 }, 'pass'],
    [{ replies: 61, likes: 20 }, 'hold'],
    [{ replies: 21, likes: 7 }, 'pass'],
    [{ replies: 22, likes: 7 }, 'hold'],
  ])('with %j: %s', ({ replies, likes }, kind) => {
    expect(reportWith({ replies, likes, reposts: 0 })).toMatchObject({
      kind,
      facts: { replies, likes, minimumReplies: 20, repliesPerLike: 3 },
    })
  })

  it('lasts until a newer sample shows otherwise', () => {
    expect(reportWith({ replies: 100, likes: 1 })).toMatchObject({
      until: { kind: 'event', event: 'next_sample' },
    })
  })

  it.each([
    ['replies', { likes: 1 }, { replies: null, likes: 1 }],
    ['likes', { replies: 100 }, { replies: 100, likes: null }],
    ['both', undefined, { replies: null, likes: null }],
  ])('cannot tell where the network does not give %s', (_, interactions, seen) => {
    expect(reportWith(interactions)).toMatchObject({ kind: 'pass', facts: seen })
  })
})
