/** Reads what relays send, and what they should not. */

import { describe, expect, test } from 'vitest'
import type { NostrEvent } from './event.ts'
import { fits, parseRelayMessage } from './relay-message.ts'

const event: NostrEvent = {
  id: 'a'.repeat(64),
  pubkey: 'b'.repeat(64),
  created_at: 100,
  kind: 1,
  tags: [['e', 'c'.repeat(64)]],
  content: 'Hello',
  sig: 'd'.repeat(128),
}

describe('a message', () => {
  test.each<[unknown, object]>([
    [['EVENT', 's', event], { kind: 'event', subscription: 's', event }],
    [['EOSE', 's'], { kind: 'end', subscription: 's' }],
    [['CLOSED', 's', 'error: x'], { kind: 'closed', subscription: 's', reason: 'error: x' }],
    [['CLOSED', 's'], { kind: 'closed', subscription: 's', reason: '' }],
    [['COUNT', 's', { count: 3, approximate: true }], { kind: 'count', count: 3 }],
    [['OK', 'a', true, ''], { kind: 'ok', eventId: 'a', isAccepted: true, reason: '' }],
    [['OK', 'a', false], { kind: 'ok', isAccepted: false, reason: '' }],
    [['AUTH', 'x'], { kind: 'challenge', challenge: 'x' }],
    [['NOTICE', 'Hello'], { kind: 'other' }],
    [['NEG-MSG', 's'], { kind: 'other' }],
    [['EVENT', 's', { ...event, id: 'short' }], { kind: 'other' }],
  ])('%j is read', (message, expected) => {
    expect(parseRelayMessage(JSON.stringify(message))).toMatchObject(expected)
  })

  test.each(['', '<html>', '{}', 'null', '[]', '[1]', '["OK","a","true",""]', '["EOSE"]'])(
    '%j is none',
    (text) => expect(parseRelayMessage(text)).toBeNull(),
  )
})

describe('a filter', () => {
  test.each([
    [{}, true],
    [{ ids: [event.id] }, true],
    [{ ids: ['x'] }, false],
    [{ authors: ['x'] }, false],
    [{ kinds: [1, 7] }, true],
    [{ kinds: [7] }, false],
    [{ since: 100, until: 100 }, true],
    [{ since: 101 }, false],
    [{ until: 99 }, false],
    [{ '#e': ['c'.repeat(64)] }, true],
    [{ '#e': ['x'] }, false],
    [{ '#q': ['c'.repeat(64)] }, false],
  ])('%j fits: %s', (filter, expected) => expect(fits(event, filter)).toBe(expected))
})
