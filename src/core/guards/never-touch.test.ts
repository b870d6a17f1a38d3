/** Tests the owner's word on one post. */

import { describe, expect, it } from 'vitest'
import { inputWith, reportOf } from '../../../test/builders/decision.ts'

const { post } = inputWith()

describe('never_touch', () => {
  it.each([
    [false, { guard: 'never_touch', kind: 'pass', facts: { allowed: 'yes' } }],
    [
      true,
      { guard: 'never_touch', kind: 'hold', facts: { allowed: 'no' }, until: { kind: 'never' } },
    ],
  ])('with neverTouch %s', (neverTouch, expected) => {
    expect(reportOf('never_touch', { post: { ...post, neverTouch } })).toEqual(expected)
  })
})
