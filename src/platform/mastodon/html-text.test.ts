/** Holds the reading of posts to what their authors typed. */

import { describe, expect, it } from 'vitest'
import { htmlToText } from './html-text.ts'

const ben = { acct: 'ben@social.example', url: 'https://social.example/@ben' }

describe('the text of a post’s HTML', () => {
  it.each([
    ['paragraphs and breaks', '<p>One<br />two</p><p>Three</p>', 'One\ntwo\n\nThree'],
    ['breaks without paragraphs', 'One<br>two<br><br>Three<br>', 'One\ntwo\n\nThree'],
    [
      'what was escaped',
      '<p>a &lt;b&gt; &amp;amp; &quot; &#39; &#x1F331;</p>',
      'a <b> &amp; " \' 🌱',
    ],
    ['an ampersand that is none', '<p>R&D &unknown; &</p>', 'R&D &unknown; &'],
    [
      'a link that is cut short for the eye',
      '<p><a href="https://example.com/long/path"><span class="invisible">https://</span>' +
        '<span class="ellipsis">example.com/lo</span>' +
        '<span class="invisible">ng/path</span></a></p>',
      'https://example.com/long/path',
    ],
    [
      'a mention, with its server',
      '<p>Hi <span class="h-card"><a href="https://social.example/@ben" class="u-url mention">' +
        '@<span>ben</span></a></span>!</p>',
      'Hi @ben@social.example!',
    ],
    [
      'a mention of somebody unknown, as it stands',
      '<p><a href="https://else.example/@eve" class="u-url mention">@<span>eve</span></a></p>',
      '@eve',
    ],
    [
      'a hashtag',
      '<p><a href="https://a.example/tags/bread" class="mention hashtag" rel="tag">' +
        '#<span>bread</span></a></p>',
      '#bread',
    ],
    [
      'a quote, without the line for those who know no quotes',
      '<p class="quote-inline">RE: <a href="https://a.example/1">a.example/1</a></p><p>Yes!</p>',
      'Yes!',
    ],
    ['a list', '<ul><li>One</li><li>Two</li></ul>', 'One\nTwo'],
    ['a sign that opens nothing', '1 < 2', '1 < 2'],
    ['numbers that are no characters', '&#55357;&#0;&#99999999;', '&#55357;&#0;&#99999999;'],
  ])('has %s', (_, html, text) => {
    expect(htmlToText(html, [ben])).toBe(text)
  })
})
