/** Tests what may be an identity: text that survives UTF-8 and storage. */

import { describe, expect, it } from 'vitest'
import { toAccountId, toActionId, toActionKey, toPostId } from './ids.ts'

describe.each([
  ['postId', toPostId],
  ['accountId', toAccountId],
  ['actionId', toActionId],
  ['key', toActionKey],
] as const)('%s', (field, toId) => {
  it.each(['1', 'a:b', '日本-投稿', '🌬️', 'x'.repeat(512)])('takes %s', (text) => {
    expect(toId(text)).toBe(text)
  })

  it.each([
    ['nothing', ''],
    ['too much', 'x'.repeat(513)],
    ['a NUL', 'a\0b'],
    ['half a surrogate pair', 'a\ud83c'],
    ['a number', 1],
    ['null', null],
  ])('refuses %s, by name', (_, value) => {
    expect(() => toId(value)).toThrow(new RegExp(`^${field}: `))
    expect(() => toId(value, 'row.id')).toThrow(/^row\.id: /)
  })
})
