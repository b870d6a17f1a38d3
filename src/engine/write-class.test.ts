/** Tests how long a repeat is safe. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../core/duration.ts'
import { profiles } from '../platform/simulated/index.ts'
import { writeClassNow } from './write-class.ts'

const { bluesky, mastodon, telegram } = profiles

test.each([1000 * hourMs, Infinity])(
  'a network that recognises repeats for ever is of class A, also %i ms after the first',
  (sentAgoMs) => {
    expect(writeClassNow(bluesky.description, 'comment', sentAgoMs)).toBe('A')
  },
)

test.each([
  [0, 'A'],
  [30 * minuteMs - 1, 'A'],
  [30 * minuteMs, 'B'],
  [Infinity, 'B'],
] as const)('one that does so for an hour is, %i ms after the first send, %s', (ms, expected) => {
  expect(writeClassNow(mastodon.description, 'comment', ms)).toBe(expected)
})

test('each action has its own class', () => {
  expect(writeClassNow(mastodon.description, 'edit', 0)).toBe('B')
  expect(writeClassNow(telegram.description, 'thread', 0)).toBe('C')
})

test('what the network does not offer is never sent again', () => {
  expect(writeClassNow(bluesky.description, 'edit', 0)).toBe('C')
})
