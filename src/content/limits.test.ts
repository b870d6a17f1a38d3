/** Tests of the rules that every text has to keep. */

import { splitSegments } from '../core/segments.ts'
import { describe, expect, test } from 'vitest'
import { contentRequest } from '../../test/builders/content-request.ts'
import { fitDraft, longestAddition } from './limits.ts'
import type { Draft } from './limits.ts'

const request = contentRequest({
  text: 'We wrote it down at https://example.org/four with @helper. #work',
  url: 'https://social.example/@someone/1',
  handle: '@Someone.Example',
})
const fit = (draft: Draft, links: readonly string[] = [], from = request) =>
  fitDraft(draft, from, { links })
const comment = (text: string): Draft => ({ kind: 'comment', text })
const edit = (addition: string): Draft => ({ kind: 'edit', addition })
const thread = (...segments: readonly string[]): Draft => ({ kind: 'thread', segments })
const why = (part: string) => ({ kind: 'broken', why: expect.stringContaining(part) as string })

describe('every text', () => {
  test.each([
    ['links elsewhere', 'See https://evil.example/x', 'links to evil.example/x'],
    ['links elsewhere on the same site', 'See example.org/five', 'links to example.org/five'],
    ['adds to a link', 'See https://example.org/four(x)y', 'links to example.org/four(x)y'],
    ['links without a scheme', 'See evil.example', 'links to evil.example'],
    ['calls in others', 'What do you say, @stranger?', 'mentions @stranger'],
    ['holds a control', 'a\u0007b', 'not shown'],
    ['turns the direction', 'a\u202Eb', 'not shown'],
    ['holds half of a character', 'a\uD83D', 'half of a character'],
    ['is stuffed with hashtags', 'Look #one #two #three', 'hashtags'],
    ['says nothing', ' \n ', 'nothing'],
    ['is nothing but marks', '…!', 'nothing'],
  ])('is refused where it %s', (_name, text, reason) => {
    expect(fit(comment(text))).toEqual(why(reason))
    expect(fit(edit(text))).toEqual(why(reason))
    expect(fit(thread('A first post.', text))).toEqual(why(reason))
  })

  test.each([
    ['a link of the post', 'Again: https://example.org/four.'],
    ['the address of the post', 'From https://social.example/@someone/1'],
    ['a person of the post', 'Thanks @helper'],
    ['the author', 'Yours, @someone.example'],
    ['hashtags of the post and two more', '#work #one #two'],
  ])('may hold %s', (_name, text) => {
    expect(fit(comment(text))).toEqual({ kind: 'fits', text })
  })

  test('may link what the owner allows, and what lies below it', () => {
    expect(fit(comment('See shop.example/hats'), ['https://shop.example'])).toMatchObject({
      kind: 'fits',
    })
    expect(fit(comment('See shop.example.evil.example'), ['shop.example'])).toMatchObject({
      kind: 'broken',
    })
  })

  test('loses white space that nobody meant', () => {
    expect(fit(comment('  one \t\r\n\r\n\r\n\r\ntwo\n'))).toEqual({
      kind: 'fits',
      text: 'one\n\ntwo',
    })
  })
})

describe('length', () => {
  const narrow = contentRequest({ limits: { maximumLength: 20 }, text: 'A post that is.' })

  test('a comment and the posts of a thread are shortened', () => {
    expect(fit(comment('This is said in too many words'), [], narrow)).toEqual({
      kind: 'fits',
      text: 'This is said in too…',
    })
    expect(fit(thread('Short.', 'This is said in too many words'), [], narrow)).toEqual({
      kind: 'fits',
      text: 'Short.\n---\nThis is said in too…',
    })
  })

  test('an edit is never shortened', () => {
    expect(fit(edit('four'), [], narrow)).toEqual(why('would have 21 of at most 20'))
    expect(fit(edit('abc'), [], narrow)).toEqual({ kind: 'fits', text: 'A post that is.\n\nabc' })
  })

  test('is counted by the measure that was handed in', () => {
    const counted = contentRequest({ limits: { maximumLength: 3, measure: () => 4 } })
    expect(fit(comment('x'), [], counted)).toEqual(why('not even its beginning fits'))
  })

  test('a link that was cut short is another link', () => {
    const cut = contentRequest({
      text: 'https://example.org/a-b.c',
      limits: { maximumLength: 22, measure: (text) => text.length },
    })
    expect(fit(comment('https://example.org/a-b.c'), [], cut)).toEqual(why('links to'))
  })
})

describe('an edit', () => {
  test('keeps the text before it to the letter', () => {
    const text = '  A post \r\nwith\u200E its own\tways \n'
    expect(fit(edit('PS: thanks.'), [], contentRequest({ text }))).toEqual({
      kind: 'fits',
      text: `${text}\n\nPS: thanks.`,
    })
  })

  test('is not made where the text is not known: it would be lost', () => {
    for (const text of ['', ' \n']) {
      expect(fit(edit('PS: thanks.'), [], contentRequest({ text }))).toEqual(why('no text'))
    }
  })

  test('adds something small', () => {
    const roomy = contentRequest({ limits: { maximumLength: 10_000 } })
    expect(fit(edit('x'.repeat(longestAddition)), [], roomy)).toMatchObject({ kind: 'fits' })
    expect(fit(edit('x'.repeat(longestAddition + 1)), [], roomy)).toEqual(why('adds more than'))
  })
})

describe('a thread', () => {
  test('has at least one post and at most as many as the network takes', () => {
    const two = contentRequest({ limits: { threadMaximum: 2 } })
    expect(fit(thread(), [], two)).toEqual(why('no posts'))
    expect(fit(thread('one', 'two'), [], two)).toEqual({ kind: 'fits', text: 'one\n---\ntwo' })
    expect(fit(thread('one', 'two', 'three'), [], two)).toEqual(why('3 posts of at most 2'))
  })

  test('comes apart as it was put together, lines of three hyphens in a post included', () => {
    const posts = ['one\n---', 'two\n---\nthree', 'four --- five']
    const fitted = fit(thread(...posts))
    expect(fitted.kind === 'fits' ? splitSegments(fitted.text) : []).toEqual(posts)
  })
})
