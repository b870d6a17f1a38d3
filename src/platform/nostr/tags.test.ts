/** Reads and writes what a note answers, in the marked form and in the one before it. */

import { describe, expect, test } from 'vitest'
import type { NostrEvent } from './event.ts'
import { ancestryOf, isMention, replyTags } from './tags.ts'

const [a, b, c] = ['a', 'b', 'c'].map((digit) => digit.repeat(64)) as [string, string, string]

describe('what a note answers', () => {
  test.each<[string, string[][], { root: string; parent: string } | null]>([
    ['nothing', [['p', a]], null],
    ['nothing, where it only mentions', [['e', a, '', 'mention']], null],
    ['nothing, where it quotes', [['q', a]], null],
    ['a post', [['e', a, '', 'root']], { root: a, parent: a }],
    [
      'a reply, in any order',
      [
        ['e', b, '', 'reply'],
        ['e', a, '', 'root'],
      ],
      { root: a, parent: b },
    ],
    ['a post that is marked as reply only', [['e', a, '', 'reply']], { root: a, parent: a }],
    ['a post, without markers', [['e', a]], { root: a, parent: a }],
    [
      'the last of several, without markers',
      [
        ['e', a],
        ['e', b, 'wss://nos.lol'],
        ['e', c],
      ],
      { root: a, parent: c },
    ],
    [
      'the one that is marked, and not those beside it',
      [
        ['e', b],
        ['e', a, '', 'root'],
      ],
      { root: a, parent: a },
    ],
    ['nothing, where the tag has no value', [['e']], null],
  ])('%s', (_, tags, expected) => {
    expect(ancestryOf({ tags })).toEqual(expected)
  })

  test('a mention is one only if nothing else refers to the note', () => {
    expect(isMention({ tags: [['e', a, '', 'mention']] }, a)).toBe(true)
    expect(isMention({ tags: [['e', a, '', 'root']] }, a)).toBe(false)
    expect(isMention({ tags: [['e', b, '', 'mention']] }, a)).toBe(false)
  })
})

describe('the tags of a reply', () => {
  const relay = 'wss://nos.lol'
  const post = (tags: string[][]): NostrEvent => ({
    id: a,
    pubkey: 'd'.repeat(64),
    created_at: 1,
    kind: 1,
    tags,
    content: '',
    sig: '',
  })
  const author = post([]).pubkey

  test('to a post have the post as their root, and its author', () => {
    expect(replyTags({ post: post([]), parentId: a, author, relay })).toEqual([
      ['e', a, relay, 'root', author],
      ['p', author],
    ])
  })

  test('to a segment have both, and can be read back', () => {
    const tags = replyTags({ post: post([]), parentId: b, author, relay })
    expect(ancestryOf({ tags })).toEqual({ root: a, parent: b })
  })

  test('to a reply keep the root of the conversation', () => {
    const reply = post([['e', c, '', 'root']])
    const tags = replyTags({ post: reply, parentId: a, author, relay })
    expect(ancestryOf({ tags })).toEqual({ root: c, parent: a })
  })

  test('name the people of the conversation once each, and not without end', () => {
    const people = Array.from({ length: 80 }, (_, index) => ['p', String(index % 70)])
    const tags = replyTags({ post: post([...people, ['p', author]]), parentId: a, author, relay })
    const named = tags.filter(([key]) => key === 'p').map(([, value]) => value)
    expect(named).toHaveLength(50)
    expect(new Set(named).size).toBe(50)
    expect(named[0]).toBe(author)
  })

  test('let the reply expire with its post', () => {
    const tags = replyTags({ post: post([['expiration', '99']]), parentId: a, author, relay })
    expect(tags).toContainEqual(['expiration', '99'])
  })
})
