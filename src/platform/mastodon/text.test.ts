/** Holds counting and comparing of texts to what servers of the Mastodon family do. */

import { describe, expect, it } from 'vitest'
import { canonical, createMeasure, isSameText } from './text.ts'

describe('the length of a text', () => {
  const byGrapheme = createMeasure({ charactersPerUrl: 23, byGrapheme: true })
  const byCodePoint = createMeasure({ charactersPerUrl: 23, byGrapheme: false })

  it.each([
    ['nothing', '', 0],
    ['letters', 'naïve', 5],
    ['a family, which is one sign to the eye', '👨‍👩‍👧', 1],
    ['a short link', 'http://a.example', 23],
    ['a long link', `https://example.com/${'x'.repeat(300)}`, 23],
    ['a link before a full stop', 'See https://example.com/a.', 4 + 23 + 1],
    ['a mention on another server', 'Hi @ben@social.example!', 'Hi @ben!'.length],
    ['a mention on the same server', 'Hi @ben', 7],
    ['an address of mail', 'a@example.com', 13],
  ])('counts %s as Mastodon does', (_, text, length) => {
    expect(byGrapheme(text)).toBe(length)
  })

  it('counts code points where the server is another', () => {
    expect(byCodePoint('👨‍👩‍👧')).toBe(5)
  })

  it('takes the length of a link from the server', () => {
    expect(createMeasure({ charactersPerUrl: 32, byGrapheme: true })('https://a.example')).toBe(32)
  })
})

describe('two texts', () => {
  it.each([
    ['spaces differ', 'One\n\ntwo', ' One two '],
    ['accents are composed in another way', 'cafe\u0301', 'café'],
    ['the server of a mention is left out', 'Hi @ben@social.example', 'Hi @ben'],
    ['signs were taken for formatting', 'a *star* for _you_', 'a star for you'],
  ])('are the same where %s', (_, one, other) => {
    expect(isSameText(one, other)).toBe(true)
  })

  it.each([
    ['a word differs', 'One two', 'One too'],
    ['a number differs', 'Part 1', 'Part 2'],
    ['there are no words at all', '!!!', '???'],
    ['the emoji differ', '🌱', '🌳'],
  ])('are not the same where %s', (_, one, other) => {
    expect(isSameText(one, other)).toBe(false)
  })

  it('keep the signs that carry formatting where these matter', () => {
    expect(canonical('a *star*')).not.toBe(canonical('a star'))
  })
})
