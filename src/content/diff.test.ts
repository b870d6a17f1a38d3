/** Tests of the difference that is shown to those who approve an edit. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { diffWords } from './diff.ts'
import type { DiffRun } from './diff.ts'

const shown = (before: string, after: string) =>
  diffWords(before, after)
    .map(({ kind, text }) => ({ kept: text, added: `{+${text}+}`, removed: `[-${text}-]` })[kind])
    .join('')

const joined = (runs: readonly DiffRun[], ...kinds: readonly DiffRun['kind'][]) =>
  runs
    .filter(({ kind }) => kinds.includes(kind))
    .map(({ text }) => text)
    .join('')

describe('diffWords', () => {
  test.each([
    ['a b c', 'a b c', 'a b c'],
    ['The post.', 'The post.\n\nPS: thanks.', 'The post.{+\n\nPS: thanks.+}'],
    ['one two three', 'one 2 three', 'one [-two-]{+2+} three'],
    ['one two three', 'one three', 'one [-two -]three'],
    ['', 'new', '{+new+}'],
    ['old', '', '[-old-]'],
    ['', '', ''],
  ])('%j → %j', (before, after, expected) => {
    expect(shown(before, after)).toBe(expected)
  })

  test('finds words that are not set apart by spaces', () => {
    expect(shown('会議を減らした', '会議を増やした')).toMatch(/^会議を\[-/)
  })

  test('keeps as many words as possible', () => {
    const runs = diffWords('a b c a b b a', 'c b a b a c')
    expect(joined(runs, 'kept').replaceAll(' ', '')).toHaveLength(4)
  })

  const texts = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 80 }),
    fc.array(fc.constantFrom('a', 'b', 'c', ' ', '\n', '語'), { maxLength: 60 }).map((parts) => {
      return parts.join('')
    }),
  )

  test('both texts can be read from the runs, and no two neighbours are of a kind', () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const runs = diffWords(before, after)
        expect(joined(runs, 'kept', 'removed')).toBe(before)
        expect(joined(runs, 'kept', 'added')).toBe(after)
        expect(runs.every(({ text }) => text !== '')).toBe(true)
        expect(runs.some(({ kind }, index) => kind === runs[index + 1]?.kind)).toBe(false)
      }),
    )
  })

  test('stays small where two long texts have nothing in common', () => {
    const before = 'one '.repeat(5000)
    const after = 'two '.repeat(5000)
    expect(diffWords(before, after).length).toBeLessThanOrEqual(4)
    expect(diffWords('one '.repeat(50_000), 'two')).toEqual([
      { kind: 'removed', text: 'one '.repeat(50_000) },
      { kind: 'added', text: 'two' },
    ])
  })

  test('finds a small change in a long text', () => {
    const words = 'some more words '.repeat(3000)
    expect(diffWords(`${words}old ${words}`, `${words}new ${words}`)).toEqual([
      { kind: 'kept', text: words },
      { kind: 'removed', text: 'old' },
      { kind: 'added', text: 'new' },
      { kind: 'kept', text: ` ${words}` },
    ])
  })
})
