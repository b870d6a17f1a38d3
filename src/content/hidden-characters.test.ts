/** Tests of what counts as hidden. */

import { describe, expect, test } from 'vitest'
import { hasHiddenCharacters } from './hidden-characters.ts'

describe('hasHiddenCharacters', () => {
  test.each([
    ['a NUL', 'a\0b'],
    ['a tab', 'a\tb'],
    ['a carriage return', 'a\rb'],
    ['a delete', 'a\u007Fb'],
    ['a right-to-left override', 'a\u202Eb'],
    ['an isolate', 'a\u2067b'],
    ['a left-to-right mark', 'a\u200Eb'],
    ['an Arabic letter mark', 'a\u061Cb'],
    ['a zero-width space', 'a\u200Bb'],
    ['a byte order mark', 'a\uFEFFb'],
    ['a line separator', 'a\u2028b'],
    ['a text in tags', 'a\u{E0068}\u{E0069}b'],
    ['a long text in tags behind a flag', `\u{1F3F4}${'\u{E0061}'.repeat(9)}\u{E007F}`],
    ['half of a character', 'a\uD83Db'],
  ])('finds %s', (_name, text) => {
    expect(hasHiddenCharacters(text)).toBe(true)
  })

  test.each([
    ['line breaks', 'one\n\ntwo'],
    ['a family, which is joined', '👨‍👩‍👧‍👦'],
    ['the flag of Scotland, which is tagged', '🏴󠁧󠁢󠁳󠁣󠁴󠁿'],
    ['a joiner in Persian', 'می‌خواهم'],
    ['Hebrew and Arabic letters', 'שלום مرحبا'],
    ['typography', '“quoted” – and so on…'],
  ])('lets %s be', (_name, text) => {
    expect(hasHiddenCharacters(text)).toBe(false)
  })
})
