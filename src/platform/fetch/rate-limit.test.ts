/** Tests that the limits of every network are read from the headers it really sends. */

import { describe, expect, test } from 'vitest'
import { parseInstant } from '../../core/instant.ts'
import { GuardedResponse } from './guarded-response.ts'
import { rateLimitOf, retryAfterOf } from './rate-limit.ts'

const now = parseInstant('2026-07-15T09:00:00Z', 'now')
const inSeconds = (seconds: number) => now + seconds * 1000
const epochSeconds = (seconds: number) => String(now / 1000 + seconds)

const respond = (headers: Record<string, string>) =>
  new GuardedResponse({
    status: 429,
    where: 'https://social.example/',
    headers: new Map(Object.entries(headers)),
    bytes: Buffer.alloc(0),
  })

describe('Retry-After', () => {
  test.each([
    ['0', inSeconds(0)],
    ['120', inSeconds(120)],
    [' 120 ', inSeconds(120)],
    ['0.5', inSeconds(0.5)],
    ['Wed, 15 Jul 2026 09:05:00 GMT', inSeconds(300)],
    ['Wed, 15 Jul 2026 08:00:00 GMT', now],
    ['2026-07-15T09:05:00.000Z', inSeconds(300)],
    ['2026-07-15T11:05:00+02:00', inSeconds(300)],
    [epochSeconds(60), inSeconds(60)],
    [String(now + 60_000), inSeconds(60)],
    ['99999999', inSeconds(31 * 86_400)],
    ['999999999999999999999', inSeconds(31 * 86_400)],
    ['Fri, 01 Jan 2999 00:00:00 GMT', inSeconds(31 * 86_400)],
    ['', null],
    ['soon', null],
    ['-5', null],
    ['1e3', null],
    ['0x10', null],
    ['NaN', null],
    ['Infinity', null],
    ['Wed, 15 Jul 2026 09:05:00', null],
    ['Wed, 99 Jul 2026 09:05:00 GMT', null],
    ['2026-07-15T09:05:00', null],
    ['120, 120', null],
  ])('%j', (value, at) => {
    expect(retryAfterOf(respond({ 'retry-after': value }), now)).toBe(at)
  })

  test('absent is null', () => {
    expect(retryAfterOf(respond({}), now)).toBeNull()
  })
})

describe('the limits of', () => {
  test.each([
    [
      'Bluesky',
      {
        'ratelimit-limit': '5000',
        'ratelimit-remaining': '4990',
        'ratelimit-reset': epochSeconds(900),
        'ratelimit-policy': '5000;w=3600',
      },
      { limit: 5000, remaining: 4990, resetAt: inSeconds(900) },
    ],
    [
      'Mastodon',
      {
        'x-ratelimit-limit': '300',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': '2026-07-15T09:05:00.123456Z',
      },
      { limit: 300, remaining: 0, resetAt: parseInstant('2026-07-15T09:05:00.123456Z', 'at') },
    ],
    [
      'X',
      {
        'x-rate-limit-limit': '900',
        'x-rate-limit-remaining': '1',
        'x-rate-limit-reset': epochSeconds(30),
      },
      { limit: 900, remaining: 1, resetAt: inSeconds(30) },
    ],
    [
      'Discord',
      { 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '1.5' },
      { limit: 5, remaining: 0, resetAt: inSeconds(1.5) },
    ],
    [
      'the earlier standard',
      { 'ratelimit-limit': '100, 100;w=60', 'ratelimit-remaining': '50', 'ratelimit-reset': '30' },
      { limit: 100, remaining: 50, resetAt: inSeconds(30) },
    ],
    [
      'the combined standard',
      { ratelimit: 'limit=100, remaining=50, reset=5' },
      { limit: 100, remaining: 50, resetAt: inSeconds(5) },
    ],
    [
      'the latest standard',
      { ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"default";q=100;w=60' },
      { limit: null, remaining: 50, resetAt: inSeconds(30) },
    ],
    [
      'a server that gives only what is left',
      { 'x-ratelimit-remaining': '7' },
      { limit: null, remaining: 7, resetAt: null },
    ],
    [
      'a server that gives nonsense',
      { 'x-ratelimit-limit': 'many', 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': 'later' },
      null,
    ],
    ['a server that says nothing', { 'content-type': 'application/json' }, null],
  ])('%s', (_name, headers, limit) => {
    expect(rateLimitOf(respond(headers as Record<string, string>), now)).toEqual(limit)
  })
})
