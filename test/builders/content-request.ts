/** Requests for a text, with everything that a test does not care about filled in. */

import * as fc from 'fast-check'
import type { ContentLimits, ContentRequest } from '../../src/content/content.ts'

/** A post with four statements and a question. */
export const fourDayWeek =
  'Last year we moved our whole team to a four day week. ' +
  'The first month was chaos and we nearly gave up. ' +
  'Then we cut half of the meetings. ' +
  'Support tickets are answered faster than before. ' +
  'Would you try it with your team?'

export function countCharacters(text: string): number {
  return Array.from(text).length
}

interface Choices extends Omit<Partial<ContentRequest>, 'post' | 'limits'> {
  readonly text?: string
  readonly url?: string | null
  readonly publishedAt?: number
  readonly limits?: Partial<ContentLimits>
}

export function contentRequest(choices: Choices = {}): ContentRequest {
  const {
    text = fourDayWeek,
    url = null,
    publishedAt = 1_700_000_000_000,
    limits,
    ...rest
  } = choices
  return {
    action: 'comment',
    tier: 'tier_1',
    generation: 0,
    platform: 'bluesky',
    handle: 'someone.example',
    numbers: { impressions: null, engagements: 2, score: 0.6 },
    recentTexts: [],
    ...rest,
    post: { text, url, publishedAt, ageMs: 3 * 3_600_000 },
    limits: { maximumLength: 300, measure: countCharacters, threadMaximum: 10, ...limits },
  }
}

/** Any character but half of one. */
const anyCharacter = fc
  .oneof(
    fc.integer({ min: 0x20, max: 0x7e }),
    fc.integer({ min: 0, max: 0x2fff }),
    fc.integer({ min: 0, max: 0x10ffff }),
  )
  .map((code) => (code >= 0xd800 && code <= 0xdfff ? 'é' : String.fromCodePoint(code)))

const anyWord = oneOf(
  ['The', 'meetings', 'we', 'cut', 'last', 'year', 'nobody', 'misses', 'them', 'and', 'more', 'is'],
  ['会議', 'を', '减らした。', 'مرحبا', 'שלום', 'สวัสดี', 'naïve', '12,5', '#tag', '#ok'],
  ['👩\u200D👩\u200D👧', '\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}'],
)
const anyMark = oneOf(
  ['. ', '? ', '! ', ', ', '\n', '\n\n', '\n---\n', '---', '\r\n', '\t', ' ', '…', '“'],
  ['\u202E', '\u2066', '\u200B', '\uFEFF', '\0', '\u{E0041}', '\u2028', '"', '- ', '• ', '1. '],
  [' ', ' ', ' ', ' ', ' '],
)
const anyTrick = oneOf(
  ['{{ 7 | times: 6 }}', '{% assign x = 1 %}', '{{ post.text }}', '{% raw %}', '{{', '%}', '{#'],
  ['{% for i in (1..99999999) %}x{% endfor %}', '{{ post.constructor }}', '{% endraw %}'],
  ['<script>alert(1)</script>', '<b>bold</b>', '&lt;', '</data>', '$x', '`', '\\u0041'],
  ['https://example.org/a', 'evil.example/x', '@someone', '@a@b.example', 'x@y.example', 'a.b.c'],
)

function oneOf(...lists: readonly (readonly string[])[]): fc.Arbitrary<string> {
  return fc.constantFrom(...lists.flat())
}

/** Posts as they come: sentences, scripts, markup, tricks, and at times very long. */
export const anyPostText: fc.Arbitrary<string> = fc
  .tuple(
    fc.array(
      fc.oneof(
        { weight: 8, arbitrary: anyWord },
        { weight: 6, arbitrary: anyMark },
        { weight: 2, arbitrary: anyTrick },
        { weight: 2, arbitrary: anyCharacter },
      ),
      { maxLength: 120 },
    ),
    fc.oneof({ weight: 30, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(300) }),
  )
  .map(([parts, times]) => parts.join('').repeat(times).slice(0, 100_000).toWellFormed())
