/** Tests that keys are those of the classic executor, and that generations differ. */

import { createHash } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actions, tiers } from './action.ts'
import { actionKey } from './key.ts'

const anyKey = fc.record({
  postId: fc.string({ unit: 'grapheme' }),
  action: fc.constantFrom(...actions),
  tier: fc.constantFrom(...tiers),
  generation: fc.nat(5),
})

describe('actionKey', () => {
  it.each([
    ['comment', 'tier_1', 'sheal_f3a90e92ee75513100c45c1e930c789d'],
    ['edit', 'tier_2', 'sheal_33a379361b175e0160b67f8de3762965'],
    ['thread', 'tier_3', 'sheal_a87884b1443b302557140a5d72f618f1'],
  ] as const)('of post-1, %s, %s', (action, tier, key) => {
    expect(actionKey('post-1', action, tier)).toBe(key)
    expect(actionKey('post-1', action, tier, 0)).toBe(key)
  })

  it('hashes UTF-8, with the generation appended from the first on', () => {
    fc.assert(
      fc.property(anyKey, ({ postId, action, tier, generation }) => {
        const suffix = generation === 0 ? '' : `:${generation}`
        const text = Buffer.from(`${postId}:${action}:${tier}${suffix}`, 'utf8')
        const digest = createHash('sha256').update(text).digest('hex')
        const key = actionKey(postId, action, tier, generation)
        expect(key).toBe(`sheal_${digest.slice(0, 32)}`)
      }),
    )
  })

  it('differs between generations, actions, tiers and posts', () => {
    const keys = ['post-1', 'post-2', 'post-1:comment'].flatMap((postId) =>
      actions.flatMap((action) =>
        tiers.flatMap((tier) => [0, 1, 2, 11].map((g) => actionKey(postId, action, tier, g))),
      ),
    )
    expect(new Set(keys).size).toBe(keys.length)
  })
})
