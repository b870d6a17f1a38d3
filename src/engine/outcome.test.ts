/** Tests what is kept of an action that landed. */

import { expect, test } from 'vitest'
import type { Json } from '../core/json.ts'
import type { Landed } from '../platform/platform.ts'
import { landedIds, postContentOf, toOutcome } from './outcome.ts'

const landed = (...remoteIds: readonly string[]): Landed => ({
  remoteId: remoteIds[0] ?? '',
  url: `https://network.invalid/${remoteIds[0]}`,
  remoteIds,
  postRemoteId: null,
  contentVersion: 'v2',
})

test('an outcome names all posts that were made, in order, and where to see the first', () => {
  expect(toOutcome([landed('1'), landed('2', '3')], false)).toEqual({
    remoteIds: ['1', '2', '3'],
    url: 'https://network.invalid/1',
    partial: false,
  })
  expect(toOutcome([landed('1')], true)).toMatchObject({ partial: true })
})

test('its ids can be read back from what the ledger stored', () => {
  const outcome = toOutcome([landed('1', '2')], false)
  const stored = JSON.parse(JSON.stringify(outcome)) as Json
  expect(landedIds(stored)).toEqual(['1', '2'])
})

test.each([
  null,
  'landed',
  7,
  {},
  { remoteIds: [1] },
  { remoteIds: 'x', url: null, partial: false },
])('what is no outcome (%j) names nothing', (stored) => {
  expect(landedIds(stored)).toEqual([])
})

test('an edit leaves the post with its text, its version, and its new id where it got one', () => {
  const kept = landed('1')
  expect(postContentOf(kept, 'Text.')).toEqual({
    remoteId: '1',
    contentVersion: 'v2',
    text: 'Text.',
  })
  const moved = { ...kept, postRemoteId: '9' }
  expect(postContentOf(moved, 'Text.')).toMatchObject({ remoteId: '9' })
})
