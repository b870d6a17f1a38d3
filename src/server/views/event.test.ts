/** Every kind of event is told in a sentence of its own, with what it carries. */

import { expect, test } from 'vitest'
import type { EventData, EventType, LedgerEvent } from '../../core/events.ts'
import { toEventView } from './event.ts'

const examples: { readonly [Type in EventType]: EventData[Type] } = {
  account_saved: { mode: 'approve', policy: 'standard@1' },
  account_parked: { code: 'credentials' },
  account_activated: {},
  account_erased: {},
  credentials_replaced: {},
  post_tracked: { publishedAt: 0 },
  post_closed: { status: 'gone' },
  never_touch: { on: true },
  verdict: { verdict: 'hold', reason: 'paused', score: 0.7, policy: 'standard@1' },
  arm_assigned: { arm: 'holdout', propensity: 0.8 },
  action_planned: {
    action: 'comment',
    tier: 'tier_1',
    key: 'k',
    state: 'awaiting_approval',
    textHash: 'h',
  },
  approval_expiring: { expiresAt: 0 },
  text_revised: { revision: 2, textHash: 'h' },
  action_changed: { from: 'running', to: 'unknown', reason: 'timeout', by: null },
  attempt_begun: { number: 1, segment: 0 },
  attempt_ended: { number: 1, result: 'landed', code: null },
  undo_planned: { undoes: 'a' },
  incident: { kind: 'landed_after_failure' },
  measured: { horizonMs: 7_200_000, gain: 3 },
  paused: { scope: 'account', target: 'ann' },
  resumed: { scope: 'everything', target: '' },
  history_imported: { rows: 5 },
  restored: {},
}

function viewOf(type: EventType) {
  const subject = { accountId: null, postId: null, actionId: null }
  return toEventView({ seq: 7, at: 0, type, data: examples[type], ...subject } as LedgerEvent)
}

const types = Object.keys(examples) as EventType[]

test.each(types)('%s is told in words', (type) => {
  const { sentence, data, at } = viewOf(type)
  expect(sentence).toMatch(/^[A-Z0-9].*\.$/)
  expect(sentence).not.toMatch(/undefined|null|NaN|_saved|_ended/)
  expect(data).toEqual(examples[type])
  expect(at).toBe('1970-01-01T00:00:00+00:00')
})

test('no two kinds are told alike', () => {
  const sentences = types.map((type) => viewOf(type).sentence)
  expect(new Set(sentences).size).toBe(types.length)
})

test('the numbers stand in the sentence', () => {
  expect(viewOf('measured').sentence).toBe('3 engagements were gained 2 h after the draw.')
  expect(viewOf('text_revised').sentence).toBe('The text was revised, for the 2nd time.')
  expect(viewOf('paused').sentence).toBe('Sending was paused for the account ann.')
})
