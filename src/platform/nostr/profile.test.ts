/** Reads what relays say of themselves, and what follows for the account. */

import { describe, expect, test } from 'vitest'
import { GuardedResponse } from '../fetch/guarded-response.ts'
import type { GuardedFetch } from '../guarded-fetch.ts'
import { describeAccount, measureText, parseProfile, readRelayFacts } from './profile.ts'
import type { RelayFacts } from './profile.ts'

const { signal } = new AbortController()
const url = 'wss://relay.example/path'

function answering(body: string, status = 200): GuardedFetch {
  return async (address, options) => {
    expect([String(address), options?.headers]).toEqual([
      'https://relay.example/path',
      { accept: 'application/nostr+json' },
    ])
    const bytes = Buffer.from(body)
    return new GuardedResponse({ status, where: String(address), headers: new Map(), bytes })
  }
}

const unknown: RelayFacts = {
  url,
  canCount: false,
  maximumMessageBytes: null,
  maximumCharacters: null,
  maximumEvents: null,
  wantsWork: false,
  wantsLogin: false,
  wantsPayment: false,
  oldestSeconds: null,
  newestSeconds: null,
}

describe('what a relay says of itself', () => {
  test('is read field by field', async () => {
    const document = {
      name: 'A relay',
      supported_nips: [1, 9, 11, 45],
      limitation: {
        max_message_length: 16_384,
        max_content_length: 8196,
        max_limit: 300,
        min_pow_difficulty: 8,
        auth_required: true,
        payment_required: true,
        created_at_lower_limit: 3600,
        created_at_upper_limit: 900,
      },
    }
    expect(await readRelayFacts(answering(JSON.stringify(document)), url, signal)).toEqual({
      url,
      canCount: true,
      maximumMessageBytes: 16_384,
      maximumCharacters: 8196,
      maximumEvents: 300,
      wantsWork: true,
      wantsLogin: true,
      wantsPayment: true,
      oldestSeconds: 3600,
      newestSeconds: 900,
    })
  })

  test.each([
    ['nothing', '{}', 200],
    ['a page', '<html>', 200],
    ['an error', '{"limitation":{"max_limit":1}}', 502],
    ['strange values', '{"supported_nips":"all","limitation":{"max_limit":"many"}}', 200],
    ['no limitation', '{"limitation":null}', 200],
    ['no work', '{"limitation":{"min_pow_difficulty":0,"created_at_lower_limit":0}}', 200],
    ['a date for an age', '{"limitation":{"created_at_lower_limit":1700000000}}', 200],
  ])('may be %s, and then nothing is known', async (_, body, status) => {
    expect(await readRelayFacts(answering(body, status), url, signal)).toEqual(unknown)
  })

  test('may be out of reach', async () => {
    const failing: GuardedFetch = () => Promise.reject(new Error('no'))
    expect(await readRelayFacts(failing, url, signal)).toEqual(unknown)
  })
})

describe('an account', () => {
  const described = (...relays: readonly Partial<RelayFacts>[]) => {
    return describeAccount({ relays: relays.map((each) => Object.assign({}, unknown, each)) })
  }

  test('of which nothing is known can do what Nostr can', () => {
    const { actions, length, deduplicatesForMs } = describeAccount(parseProfile('?'))
    expect([actions.comment.supported, actions.edit.supported]).toEqual([true, false])
    expect([length.maximum, deduplicatesForMs]).toEqual([5000, null])
  })

  test('writes what its strictest relay takes, unless that takes next to nothing', () => {
    expect(described({ maximumCharacters: 1000 }, {}).length.maximum).toBe(1000)
    expect(described({ maximumMessageBytes: 6000 }, {}).length.maximum).toBe(6000 - 4096)
    expect(described({ maximumCharacters: 10 }).length.maximum).toBe(280)
  })

  test('measures a text as it travels', () => {
    expect(['', 'a', '"', '\n', 'ä', '🌱'].map(measureText)).toEqual([0, 1, 2, 2, 2, 4])
  })

  test('cannot write where every relay wants work, and can where one does not', () => {
    expect(described({ wantsWork: true }, { wantsWork: true }).actions.comment.supported).toBe(
      false,
    )
    expect(described({ wantsWork: true }, {}).actions.comment.supported).toBe(true)
  })

  test('can send again as long as the most patient relay takes old events', () => {
    const patient = described({ oldestSeconds: 60 }, { oldestSeconds: 90 })
    expect(patient.deduplicatesForMs).toBe(90_000)
    expect(described({ oldestSeconds: 60 }, {}).deduplicatesForMs).toBeNull()
  })
})
