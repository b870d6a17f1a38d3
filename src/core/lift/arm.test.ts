/** The draw: fair, repeatable, and within its limits. */

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { InputError } from '../input-error.ts'
import { drawArm } from './arm.ts'

const input = { salt: 'pepper', postId: 'post-1', policy: 'standard@1', holdoutShare: 0.5 }
const posts = Array.from({ length: 20_000 }, (_, index) => `post-${index}`)

test('the draw is the digest as a fraction of 2^256', () => {
  const digest = createHash('sha256').update('pepper:post-1:standard@1').digest('hex')
  const exact = Number((BigInt(`0x${digest}`) * 10n ** 18n) / 2n ** 256n) / 1e18
  expect(drawArm(input).draw).toBeCloseTo(exact, 14)
})

test('the same names always draw the same, and any other name draws anew', () => {
  expect(drawArm(input)).toEqual(drawArm({ ...input }))
  const draws = new Set([
    drawArm(input).draw,
    drawArm({ ...input, salt: 'salt' }).draw,
    drawArm({ ...input, postId: 'post-2' }).draw,
    drawArm({ ...input, policy: 'standard@2' }).draw,
  ])
  expect(draws.size).toBe(4)
})

test.each([0.2, 0.5, 0.8])('a share of %d holds out about that many', (holdoutShare) => {
  const held = posts.filter(
    (postId) => drawArm({ ...input, postId, holdoutShare }).arm === 'holdout',
  )
  expect(held.length / posts.length).toBeCloseTo(holdoutShare, 1.7)
  expect(drawArm({ ...input, holdoutShare }).propensity).toBeCloseTo(1 - holdoutShare, 12)
})

test('a post that is held out at a small share is held out at a larger one', () => {
  for (const postId of posts.slice(0, 2000)) {
    if (drawArm({ ...input, postId, holdoutShare: 0.2 }).arm === 'act') continue
    expect(drawArm({ ...input, postId, holdoutShare: 0.5 }).arm).toBe('holdout')
  }
})

test('a share of 0 acts on every post, and its propensity says that nothing is measured', () => {
  for (const postId of posts.slice(0, 200)) {
    expect(drawArm({ ...input, postId, holdoutShare: 0 })).toMatchObject({
      arm: 'act',
      propensity: 1,
    })
  }
})

test.each([0.1, 0.19, 0.81, 1, -0.5, NaN])('a share of %d is refused', (holdoutShare) => {
  expect(() => drawArm({ ...input, holdoutShare })).toThrow(InputError)
})
