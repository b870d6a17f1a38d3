/** Holds the encoding to the examples of the protocol, and to noticing what is mistyped. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decodeBech32, encodeBech32, encodeEventPointer } from './bech32.ts'

const examples = [
  [
    'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg',
    '7e7e9c42a91bfef19fa929e5fda1b72e0ebc1a4c1141673e2794234d86addf4e',
  ],
  [
    'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5',
    '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa',
  ],
] as const

test.each(examples)('%s stands for its key', (text, hex) => {
  const prefix = text.slice(0, 4)
  expect(encodeBech32(prefix, Buffer.from(hex, 'hex'))).toBe(text)
  expect(decodeBech32(text)).toEqual({ prefix, bytes: Uint8Array.from(Buffer.from(hex, 'hex')) })
  expect(decodeBech32(text.toUpperCase())?.prefix).toBe(prefix)
})

test('any bytes come back as they were', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(decodeBech32(encodeBech32('note', bytes))?.bytes).toEqual(bytes)
    }),
  )
})

test('one wrong letter is always noticed', () => {
  const [text] = examples[1]
  const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
  fc.assert(
    fc.property(fc.integer({ min: 5, max: text.length - 1 }), fc.nat(31), (at, which) => {
      fc.pre(letters.charAt(which) !== text.charAt(at))
      const wrong = text.slice(0, at) + letters.charAt(which) + text.slice(at + 1)
      expect(decodeBech32(wrong)).toBeNull()
    }),
  )
})

describe('what is not bech32', () => {
  test.each(['', 'nsec', 'nsec1', '1qqqqqq', 'nsec1bbbbbbbb', `N${examples[0][0].slice(1)}`])(
    '%j is told apart',
    (text) => expect(decodeBech32(text)).toBeNull(),
  )
})

test('a pointer to a note says which, where and by whom', () => {
  const id = 'ab'.repeat(32)
  const author = 'cd'.repeat(32)
  const decoded = decodeBech32(encodeEventPointer({ id, author, relay: 'wss://nos.lol' }))
  expect(decoded?.prefix).toBe('nevent')
  const relay = Buffer.from('wss://nos.lol').toString('hex')
  const hex = Buffer.from(decoded?.bytes ?? []).toString('hex')
  expect(hex).toBe(`0020${id}010d${relay}0220${author}`)
})
