/** The sentences that lift leads to. */

import { describe, expect, it } from 'vitest'
import type { Effect, Lift } from '../../core/lift/lift.ts'
import { hintsFrom } from './hints.ts'
import type { ActionOnPlatform } from './hints.ts'

const effect: Effect = {
  mean: 0.4,
  deviation: 1,
  lower: 0.1,
  upper: 0.7,
  lift: 0.492,
  lowerLift: 0.105,
  upperLift: 1.014,
}
const unproven: Lift = {
  verdict: 'unproven',
  posts: 120,
  acted: 60,
  heldOut: 60,
  effect,
  morePosts: 304,
}

function group(lift: Lift | null, lost = { act: 0, holdout: 0 }): ActionOnPlatform {
  const leftOut = { waiting: { act: 0, holdout: 0 }, lost, withoutDraw: 0 }
  return { name: 'edit', action: 'edit', platform: 'bluesky', lift, leftOut }
}

describe('hints', () => {
  it('say how many more posts an unproven action takes', () => {
    expect(hintsFrom([group(unproven)])).toEqual([
      'edits on bluesky: unproven after 120 posts; about 300 more are needed',
    ])
  })

  it('say at least how many while there is no estimate at all', () => {
    const early = { ...unproven, posts: 1, effect: null, morePosts: 29 }
    expect(hintsFrom([group(early)])).toEqual([
      'edits on bluesky: unproven after 1 post; at least 29 more are needed',
    ])
  })

  it('say that an action does too little to wait for', () => {
    const [hint] = hintsFrom([group({ ...unproven, morePosts: null })])
    expect(hint).toContain('a fifth more would have shown by now: consider removing edit')
  })

  it('say what helps, and what hurts with what to do about it', () => {
    expect(hintsFrom([group({ ...unproven, verdict: 'helps', morePosts: 0 })])).toEqual([
      'edits on bluesky help (+49 %), proven after 120 posts: keep them',
    ])
    const harm = { ...effect, lift: -0.2 }
    const hurts = { ...unproven, verdict: 'hurts', effect: harm, morePosts: 0 } as const
    expect(hintsFrom([group(hurts)])).toEqual([
      'edits on bluesky hurt (-20 %), proven after 120 posts: ' +
        'consider removing edit from the ladder',
    ])
  })

  it('say that nothing is measured where nothing is held out', () => {
    expect(hintsFrom([group(null)])[0]).toContain('not measured; hold out at least 20 %')
  })

  it('warn where one arm lost more posts than the other', () => {
    expect(hintsFrom([group(unproven, { act: 5, holdout: 5 })])).toHaveLength(1)
    const [, warning] = hintsFrom([group(unproven, { act: 20, holdout: 1 })])
    expect(warning).toContain('20 acted-on posts and 1 held out were lost')
  })
})
