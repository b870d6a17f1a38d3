/** Tests which parts of a text become links, mentions and tags, and where they lie in bytes. */

import { describe, expect, test } from 'vitest'
import { findFeatures, toFacets } from './rich-text.ts'

/** What a reader would see marked, as the bytes say. */
function marked(text: string): readonly string[] {
  const bytes = Buffer.from(text)
  return findFeatures(text).map(
    ({ kind, byteStart, byteEnd }) => `${kind} ${bytes.subarray(byteStart, byteEnd).toString()}`,
  )
}

describe('links', () => {
  test.each([
    ['See https://example.com/a?b=c#d now', ['link https://example.com/a?b=c#d']],
    ['https://example.com', ['link https://example.com']],
    ['Read https://example.com.', ['link https://example.com']],
    ['Really, https://example.com/a?!', ['link https://example.com/a']],
    ['(https://example.com/a)', ['link https://example.com/a']],
    ['https://en.wikipedia.org/wiki/A_(b)', ['link https://en.wikipedia.org/wiki/A_(b)']],
    ['“https://example.com/a”', ['link https://example.com/a']],
    ['Grüße 🌱 https://bücher.example/ä 🌱', ['link https://bücher.example/ä']],
    ['http://a.example https://b.example', ['link http://a.example', 'link https://b.example']],
    ['https:// nothing', []],
    ['xhttps://example.com', []],
    ['ftp://example.com', []],
    ['example.com', []],
  ])('%s', (text, expected) => expect(marked(text)).toEqual(expected))
})

describe('mentions', () => {
  test.each([
    ['Hello @anna.test!', ['mention @anna.test']],
    ['@Anna.Bsky.Social', ['mention @Anna.Bsky.Social']],
    ['(@anna.test)', ['mention @anna.test']],
    ['🌱 @anna.test.', ['mention @anna.test']],
    ['@anna', []],
    ['anna@example.com', []],
    ['@-anna.test', []],
    ['@anna..test', []],
    ['@anna.123', []],
  ])('%s', (text, expected) => expect(marked(text)).toEqual(expected))

  test('are looked up in lower case', () => {
    expect(findFeatures('@Anna.Test')[0]?.value).toBe('anna.test')
  })
})

describe('tags', () => {
  test.each([
    ['A #tag here', ['tag #tag']],
    ['#größe', ['tag #größe']],
    ['＃日本語 です', ['tag ＃日本語']],
    ['#one #two', ['tag #one', 'tag #two']],
    ['#tag, and more', ['tag #tag']],
    ['(#tag)', ['tag #tag']],
    ['#2026goals', ['tag #2026goals']],
    ['We are #1', []],
    ['a#b', []],
    ['# heading', []],
    ['#...', []],
    [`#${'a'.repeat(65)}`, []],
  ])('%s', (text, expected) => expect(marked(text)).toEqual(expected))
})

test('what stands inside a link is part of the link', () => {
  expect(marked('https://example.com/(#tag @anna.test')).toEqual([
    'link https://example.com/(#tag',
    'mention @anna.test',
  ])
})

test('facets are what the network asks for; a handle of nobody stays text', () => {
  const features = findFeatures('é #tag @anna.test @nobody.test https://example.com')
  expect(toFacets(features, new Map([['anna.test', 'did:plc:anna']]))).toEqual([
    {
      index: { byteStart: 3, byteEnd: 7 },
      features: [{ $type: 'app.bsky.richtext.facet#tag', tag: 'tag' }],
    },
    {
      index: { byteStart: 8, byteEnd: 18 },
      features: [{ $type: 'app.bsky.richtext.facet#mention', did: 'did:plc:anna' }],
    },
    {
      index: { byteStart: 32, byteEnd: 51 },
      features: [{ $type: 'app.bsky.richtext.facet#link', uri: 'https://example.com' }],
    },
  ])
})
