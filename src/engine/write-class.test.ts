/** Tests how long a repeat is safe. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../core/duration.ts'
import { profiles } from '../platform/simulated/index.ts'
import { writeClassNow } from './write-class.ts'

const { bluesky, mastodon, telegram } = profiles
const start = Date.UTC(2026, 2, 2, 12)

test('a network that recognises repeats for ever is always of class A', () => {
  const { description } = bluesky
  expect(writeClassNow(description, 'comment', start, start + 1000 * hourMs)).toBe('A')
})

test.each([
  [0, 'A'],
  [30 * minuteMs - 1, 'A'],
  [30 * minuteMs, 'B'],
  [2 * hourMs, 'B'],
] as const)(
  'one that does so for an hour is, %i ms after the first send, %s',
  (afterMs, expected) => {
    const { description } = mastodon
    expect(writeClassNow(description, 'comment', start, start + afterMs)).toBe(expected)
  },
)

test('each action has its own class', () => {
  expect(writeClassNow(mastodon.description, 'edit', start, start)).toBe('B')
  expect(writeClassNow(telegram.description, 'thread', start, start)).toBe('C')
})

test('what the network does not offer is never sent again', () => {
  expect(writeClassNow(bluesky.description, 'edit', start, start)).toBe('C')
})
