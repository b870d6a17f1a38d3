/** Says what counts as what, and that nothing counts twice. */

import { describe, expect, test } from 'vitest'
import { countFor, counterOf } from './counting.ts'
import type { Counter } from './counting.ts'
import type { NostrEvent } from './event.ts'

const post = 'a'.repeat(64)
const other = 'b'.repeat(64)
let ids = 0

function event(kind: number, tags: string[][], content = ''): NostrEvent {
  ids += 1
  const id = ids.toString(16).padStart(64, '0')
  return { id, pubkey: 'c'.repeat(64), created_at: 1, kind, tags, content, sig: '' }
}

describe('what an event is for a post', () => {
  test.each<[string, NostrEvent, Counter | null]>([
    ['a like', event(7, [['e', post]], '+'), 'likes'],
    ['an emoji', event(7, [['e', post]], '🤙'), 'likes'],
    ['a dislike', event(7, [['e', post]], '-'), null],
    [
      'a like of a reply below it',
      event(7, [
        ['e', post],
        ['e', other],
      ]),
      null,
    ],
    ['a repost', event(6, [['e', post]]), 'reposts'],
    ['a generic repost', event(16, [['e', post]]), 'reposts'],
    ['a zap', event(9735, [['e', post]]), 'zaps'],
    ['a reply', event(1, [['e', post, '', 'root']]), 'replies'],
    [
      'a reply further down',
      event(1, [
        ['e', post, '', 'root'],
        ['e', other, '', 'reply'],
      ]),
      null,
    ],
    ['a quote', event(1, [['q', post]]), 'quotes'],
    ['a quote as it used to be', event(1, [['e', post, '', 'mention']]), 'quotes'],
    [
      'a quote within another conversation',
      event(1, [
        ['q', post],
        ['e', other, '', 'root'],
      ]),
      'quotes',
    ],
    ['a deletion', event(5, [['e', post]]), null],
    ['a like of something else', event(7, [['e', other]]), null],
    ['a repost of something else', event(6, [['e', other]]), null],
  ])('%s', (_, each, expected) => {
    expect(counterOf(each, post)).toBe(expected)
  })
})

describe('the counters of a post', () => {
  const none = { likes: 0, replies: 0, reposts: 0, quotes: 0, zaps: 0 }
  const [one, two, three] = [1, 2, 3].map(() => event(7, [['e', post]])) as [
    NostrEvent,
    NostrEvent,
    NostrEvent,
  ]

  test('have each event once, however many relays have it', () => {
    const readings = [
      { events: [one, two], counts: [] },
      { events: [two, three], counts: [] },
    ]
    expect(countFor(post, readings)).toEqual({ ...none, likes: 3 })
  })

  test('follow a relay that counts more than was read, and the one that counts most', () => {
    const count = (amount: number) => ({ postId: post, counter: 'likes' as const, count: amount })
    const readings = [
      { events: [one], counts: [count(700)] },
      { events: [two], counts: [count(900), { ...count(5000), postId: other }] },
    ]
    expect(countFor(post, readings)).toEqual({ ...none, likes: 900 })
  })

  test('never follow a relay that counts less', () => {
    const counts = [{ postId: post, counter: 'likes' as const, count: 1 }]
    expect(countFor(post, [{ events: [one, two], counts }])).toEqual({ ...none, likes: 2 })
  })
})
