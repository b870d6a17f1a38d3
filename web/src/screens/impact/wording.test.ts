import { describe, expect, it } from 'vitest'
import { wordLift } from './wording.ts'

const effect = {
  mean: 0.3,
  deviation: 1,
  lower: 0.1,
  upper: 0.5,
  lift: 0.35,
  lowerLift: 0.11,
  upperLift: 0.65,
}
const lift = {
  verdict: 'helps' as const,
  posts: 200,
  acted: 160,
  heldOut: 40,
  effect,
  morePosts: 0,
}
const group = {
  name: 'comment',
  leftOut: {
    waiting: { act: 0, holdout: 0 },
    lost: { act: 0, holdout: 0 },
    withoutDraw: 0,
  },
}

describe('wordLift', () => {
  it('calls help proven only with the interval beside it', () => {
    expect(wordLift({ ...group, lift })).toBe(
      'Proven to help: +35 %, between +11 % and +65 % with 95 % confidence.',
    )
  })

  it('says unproven, and names no single number that could be taken for a result', () => {
    const open = { ...lift, verdict: 'unproven' as const, morePosts: 80 }
    const sentence = wordLift({ ...group, lift: open })
    expect(sentence).toContain('Unproven')
    expect(sentence).not.toContain('+35 %')
    expect(sentence).toContain('About 80 more posts')
  })

  it('says that nothing is measured where nothing is held out', () => {
    expect(wordLift({ ...group, lift: null })).toContain('no post is held out')
  })

  it('says how many posts are missing at least', () => {
    const few = { ...lift, verdict: 'unproven' as const, effect: null, morePosts: 15 }
    expect(wordLift({ ...group, lift: few })).toContain('At least 15 more posts')
  })
})
