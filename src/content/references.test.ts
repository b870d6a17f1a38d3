/** Tests of what counts as a link, a mention and a hashtag. */

import { describe, expect, test } from 'vitest'
import { findHashtags, findLinks, findMentions, isBelow } from './references.ts'

const links = (text: string) => [...findLinks(text)]

describe('findLinks', () => {
  test.each([
    ['see https://Example.org/Path?q=1.', 'example.org/Path?q=1'],
    ['see (https://example.org/a) and', 'example.org/a'],
    ['[a](http://example.org/b)', 'example.org/b'],
    ['“https://example.org/”', 'example.org'],
    ['at example.org, or', 'example.org'],
    ['EXAMPLE.ORG/Case', 'example.org/Case'],
    ['note:evil.example/x', 'evil.example/x'],
    ['and/or.evil.example', 'or.evil.example'],
    ['evil.example-and', 'evil.example-and'],
    ['見てexample.orgです', '見てexample.orgです'],
    ['host.example:8080/x', 'host.example:8080/x'],
    ['example.org/a/page.html?to=b.example', 'example.org/a/page.html?to=b.example'],
    ['full ｅｖｉｌ．ｅｘａｍｐｌｅ width', 'evil.example'],
    ['write to me@example.org', 'example.org'],
    ['ftp://example.org/A', 'ftp://example.org/A'],
    ['nostr:npub1abc', 'nostr:npub1abc'],
    ['javascript:alert(1)', 'javascript:alert(1'],
    ['https://mastodon.example/@someone/12', 'mastodon.example/@someone/12'],
    ['mastodon.example/@someone/12', 'mastodon.example/@someone/12'],
  ])('finds the one in %j', (text, link) => {
    expect(links(text)).toEqual([link])
  })

  test.each([
    'Nothing here. Really nothing.',
    'We grew by 1.5 to 2.0, e.g. here, i.e. now...',
    'Ask @someone.example about it',
    'and/or',
    'Note: this',
  ])('finds none in %j', (text) => {
    expect(links(text)).toEqual([])
  })

  test('two links without a space between them are not either of them', () => {
    expect(links('https://a.examplehttps://b.example')).not.toContain('a.example')
  })

  test('comes to an end where a text is long and hostile', () => {
    const size = 200_000
    for (const piece of ['a', 'a.', '@', 'a@', '.a', '#a', 'http://', '://', 'a.b/', '-', 'a:']) {
      const text = piece.repeat(size / piece.length)
      expect(findLinks(text).size + findMentions(text).size + findHashtags(text).size).toBeLessThan(
        size,
      )
    }
  })
})

describe('findMentions', () => {
  test.each([
    ['Thanks @Someone!', ['someone']],
    ['@someone@social.example said', ['someone@social.example']],
    ['cc @a.b.example.', ['a.b.example']],
    ['(@one, @two)', ['one', 'two']],
    ['＠full', ['full']],
    ['see /@hidden', ['hidden']],
    ['me@example.org', []],
    ['5 @ 3', []],
    ['À@someone', ['someone']],
    ['https://social.example/@someone/1', []],
  ])('in %j', (text, names) => {
    expect([...findMentions(text)]).toEqual(names)
  })
})

describe('findHashtags', () => {
  test.each([
    ['#One and ＃two', ['#one', '#two']],
    ['#1 is no tag', []],
    ['a&#39;b /#c d#e', []],
  ])('in %j', (text, tags) => {
    expect([...findHashtags(text)]).toEqual(tags)
  })
})

describe('isBelow', () => {
  test.each([
    ['example.org', 'example.org', true],
    ['example.org/a', 'example.org', true],
    ['example.org?a', 'https://example.org/', true],
    ['example.org/shop/1', 'example.org/shop', true],
    ['example.org/shopping', 'example.org/shop', false],
    ['example.org.evil.example', 'example.org', false],
    ['example.org@evil.example', 'example.org', false],
    ['sub.example.org', 'example.org', false],
  ])('%s and %s', (link, entry, expected) => {
    expect(isBelow(link, entry)).toBe(expected)
  })
})
