/** Holds counting and reading of texts to what X documents. */

import { describe, expect, it } from 'vitest'
import { isSameText, textOf, weightedLength } from './text.ts'
import type { Tweet } from './wire.ts'

describe('the weighted length of a text', () => {
  it.each([
    ['nothing', '', 0],
    ['Latin letters', 'naïve', 5],
    ['curly quotes and dashes', '“a” — b', 7],
    ['Japanese, two each', '日本語', 6],
    ['an emoji', '🌱', 2],
    ['a family as one emoji', '👨‍👩‍👧', 2],
    ['a flag', '🇩🇪', 2],
    ['a digit, which is no emoji', '1', 1],
    ['a link, however long', `https://example.com/${'x'.repeat(200)}`, 23],
    ['a link, however short', 'http://a.co', 23],
    ['a name that becomes a link', 'example.com', 23],
    ['two links and words', 'See https://a.example and https://b.example', 3 + 1 + 23 + 5 + 23],
    ['letters that are composed', 'e\u0301', 1],
  ])('counts %s', (_, text, length) => {
    expect(weightedLength(text)).toBe(length)
  })

  it('never counts a long name without a protocol for less than its letters', () => {
    const name = `example.com/${'x'.repeat(100)}`
    expect(weightedLength(name)).toBe(name.length)
  })
})

describe('the text of a post', () => {
  const post: Tweet = {
    id: '1',
    text: 'Bread &amp; butter &lt;3 https://t.co/aaa https://t.co/bbb',
    created_at: 0,
    edit_history_tweet_ids: ['1'],
    entities: {
      urls: [
        { url: 'https://t.co/aaa', expanded_url: 'https://example.com/bread' },
        { url: 'https://t.co/bbb', expanded_url: 'https://x.com/a/1/photo/1', media_key: '3_1' },
      ],
    },
  }

  it('has links as they were typed, and none for its own pictures', () => {
    expect(textOf(post)).toBe('Bread & butter <3 https://example.com/bread')
  })

  it('is whole where it is longer than usual', () => {
    const note = { text: 'All of it, https://t.co/ccc' }
    const urls = [{ url: 'https://t.co/ccc', expanded_url: 'https://example.com/all' }]
    const long = { ...post, text: 'All of…', note_tweet: { ...note, entities: { urls } } }
    expect(textOf(long)).toBe('All of it, https://example.com/all')
  })

  it('is the same where only its links are written in another way', () => {
    expect(isSameText('See https://t.co/a now', 'See https://example.com/a now')).toBe(true)
    expect(isSameText('See https://t.co/a now', 'See https://t.co/a then')).toBe(false)
  })
})
