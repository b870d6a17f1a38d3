/** Tests content ids against those that the reference implementation gives. */

import { expect, test } from 'vitest'
import type { Json } from '../../core/json.ts'
import { contentId } from './content-id.ts'

const somewhere = { uri: 'at://did:plc:a/app.bsky.feed.post/3k', cid: 'bafyreib2rxk3rh6kzwq' }

const reply: Json = {
  $type: 'app.bsky.feed.post',
  text: 'Grüße 🌱 aus dem Garten',
  langs: ['de'],
  createdAt: '2026-03-02T12:00:00.000Z',
  reply: { root: somewhere, parent: somewhere },
  facets: [
    {
      index: { byteStart: 0, byteEnd: 1000 },
      features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'x' }],
    },
  ],
}

const edges = [0, 23, 24, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, -1, -24, -25]

test.each<[string, Json, string]>([
  ['nothing', {}, 'bafyreigbtj4x7ip5legnfznufuopl4sg4knzc2cof6duas4b3q2fy6swua'],
  ['an empty list', [], 'bafyreidwx2fvfdiaox32v2mnn6sxu3j4qoxeqcuenhtgrv5qv6litfnmoe'],
  [
    'every kind of value',
    { a: 1, bb: [true, false, null], c: -5 },
    'bafyreidabn6uukd53ic36na5vjjqn6yty5z67mkaekoi76qm5n77wszkty',
  ],
  ['a reply', reply, 'bafyreigatx7cdw2wbjqv2hyce6n467xeqbuu3u6zuqfu46oipajpb4fnay'],
  [
    'numbers at the edges of their forms',
    { n: edges },
    'bafyreid2d5cwqnwakxwat4gvxzqf6fqyb56rlae3sxbfaeryepgkwpye5y',
  ],
  [
    'a text with a long head',
    'x'.repeat(300),
    'bafyreidina3jekhm3qsrt7mbk5lkpweyvagr7apnltmyzsi6ospny4bffu',
  ],
])('of %s', (_, value, expected) => {
  expect(contentId(value)).toBe(expected)
})

test('does not depend on the order of names', () => {
  expect(contentId({ b: 1, a: 2 })).toBe(contentId({ a: 2, b: 1 }))
})

test('refuses a number that no record may hold', () => {
  expect(() => contentId({ a: 0.5 })).toThrow('no integer')
})
