/** Tests the record keys that we choose. */

import { expect, test } from 'vitest'
import { recordKeys, timeOfKey } from './tid.ts'

const noon = Date.UTC(2026, 2, 2, 12)

test('a key has the network’s form and tells when it was made', () => {
  const [key = ''] = recordKeys('seed', noon, 1)
  expect(key).toMatch(/^[2-7a-j][2-7a-z]{12}$/)
  expect(timeOfKey(key, noon)).toBe(noon)
})

test('a known key is read as the network reads it', () => {
  // Its time as the reference implementation reads it.
  expect(timeOfKey('3jzfcijpj2z2a', noon)).toBe(1_688_137_381_887)
})

test('the keys of a thread sort in its order', () => {
  const keys = recordKeys('seed', noon, 10)
  expect(keys.toSorted()).toEqual(keys)
  expect(new Set(keys).size).toBe(10)
  expect(keys.map((key) => timeOfKey(key, noon))).toEqual(Array.from({ length: 10 }, () => noon))
})

test('later keys sort after earlier ones, whatever they are for', () => {
  for (let number = 0; number < 200; number += 1) {
    const [earlier = ''] = recordKeys(`earlier ${number}`, noon, 1)
    const [later = ''] = recordKeys(`later ${number}`, noon + 1, 1)
    expect(earlier < later).toBe(true)
  }
})

test('the same preparation gives the same key, and another one another', () => {
  expect(recordKeys('seed', noon, 2)).toEqual(recordKeys('seed', noon, 2))
  const keys = Array.from({ length: 300 }, (_, number) => recordKeys(`seed ${number}`, noon, 1)[0])
  expect(new Set(keys).size).toBe(300)
})

test('a fraction of a millisecond does not matter', () => {
  expect(recordKeys('seed', noon + 0.5, 1)).toEqual(recordKeys('seed', noon, 1))
})

test.each(['', 'self', '3jzfcijpj2z2', '3jzfcijpj2z2aa', '3JZFCIJPJ2Z2A', 'zzzzzzzzzzzzz'])(
  'another kind of key tells no time: %j',
  (key) => expect(timeOfKey(key, noon)).toBeNull(),
)

test.each([
  ['before the network began', Date.UTC(2021, 0)],
  ['in the future', noon + 3_600_000],
])('a key from %s tells no time', (_, at) => {
  const [key = ''] = recordKeys('seed', at, 1)
  expect(timeOfKey(key, noon)).toBeNull()
})
