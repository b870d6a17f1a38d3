/** An account is found by whatever people call it, and never by a guess. */

import { expect, test } from 'vitest'
import { matchAccount } from './finding.ts'

const anna = { id: 'id-1', platform: 'mastodon', handle: '@anna@social.example' }
const shop = { id: 'id-2', platform: 'bluesky', handle: 'shop.example' }
const both = { id: 'id-3', platform: 'x', handle: '@shop.example' }
const accounts = [anna, shop, both]

test.each([
  ['id-1', anna],
  ['@anna@social.example', anna],
  ['anna@social.example', anna],
  ['mastodon/@anna@social.example', anna],
  ['mastodon/anna@social.example', anna],
  ['bluesky/shop.example', shop],
  ['bluesky/@shop.example', shop],
  ['x/shop.example', both],
])('%s', (word, account) => {
  expect(matchAccount(accounts, word)).toBe(account)
})

test('a name that several have is asked for with its platform', () => {
  for (const word of ['shop.example', '@shop.example']) {
    expect(() => matchAccount(accounts, word)).toThrow(
      `${word} is several: bluesky/shop.example, x/@shop.example. Name one.`,
    )
  }
})

test.each(['anna', 'social.example', '@', ''])('%j is nobody', (word) => {
  expect(() => matchAccount(accounts, word)).toThrow(`There is no account ${word}.`)
})
