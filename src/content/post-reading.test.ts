/** Tests of what is taken from a post. */

import { describe, expect, test } from 'vitest'
import { countCharacters, fourDayWeek } from '../../test/builders/content-request.ts'
import { readPost } from './post-reading.ts'

const read = (text: string, maximumLength = 300) =>
  readPost(text, { maximumLength, measure: countCharacters })

describe('readPost', () => {
  test('finds sentences, the question, and statements to quote or take up', () => {
    expect(read(fourDayWeek)).toEqual({
      firstLine: fourDayWeek,
      sentences: [
        'Last year we moved our whole team to a four day week.',
        'The first month was chaos and we nearly gave up.',
        'Then we cut half of the meetings.',
        'Support tickets are answered faster than before.',
        'Would you try it with your team?',
      ],
      question: 'Would you try it with your team?',
      quotes: [
        'Last year we moved our whole team to a four day week.',
        'The first month was chaos and we nearly gave up.',
        'Then we cut half of the meetings.',
        'Support tickets are answered faster than before.',
      ],
      // The opening stands right above the thread already.
      points: [
        'The first month was chaos and we nearly gave up.',
        'Then we cut half of the meetings.',
        'Support tickets are answered faster than before.',
      ],
    })
  })

  test('reads the entries of a list without their marks', () => {
    const { points, firstLine } = read(
      'What we changed:\n- fewer meetings for all of us\n• more time to think alone\n3) a day off',
    )
    expect(firstLine).toBe('What we changed:')
    expect(points).toEqual(['fewer meetings for all of us', 'more time to think alone'])
  })

  test('takes the opening up where there is little else', () => {
    expect(read('We cut half of the meetings. Nobody has missed them yet.').points).toHaveLength(2)
  })

  test.each([
    ['a link', 'We wrote it all down at https://example.org/four for you.'],
    ['a mention', 'Thanks to @someone for the good advice on this.'],
    ['a hashtag', 'We are so happy about our new #fourdayweek at work.'],
    ['a quotation', 'She said “we should try it” and so we did.'],
    ['a hidden character', 'We cut half\u202E of the meetings this year.'],
    ['too few words', 'We did it.'],
  ])('does not quote a sentence with %s', (_name, text) => {
    expect(read(text)).toMatchObject({ quotes: [], points: [] })
  })

  test('a question with a link is not asked again', () => {
    expect(read('Have you read this one? Or https://example.org/four?').question).toBe(
      'Have you read this one?',
    )
  })

  test('a point that is too long for a post is shortened, a quote is left out', () => {
    const long = `Nobody ${'really '.repeat(20)}misses them.`
    const { quotes, points } = read(
      `We cut half of the meetings. ${long} It was easy after all.`,
      100,
    )
    expect(quotes).toEqual(['We cut half of the meetings.', 'It was easy after all.'])
    expect(points[0]).toMatch(/^Nobody really .*really…$/)
    expect(countCharacters(points[0] ?? '')).toBeLessThanOrEqual(70)
  })

  test('of a very long post the beginning is read, to the end of a sentence', () => {
    const { sentences } = read('We cut half of the meetings😀. '.repeat(5000))
    expect(sentences).toHaveLength(60)
    const cut = `${'x'.repeat(9980)}. This is cut in the middle of it, after 😀😀😀😀.`
    expect(read(cut).sentences).toEqual([`${'x'.repeat(9980)}.`])
  })

  test('an empty post has nothing', () => {
    const nothing = { firstLine: '', sentences: [], question: null, quotes: [], points: [] }
    expect(read('')).toEqual(nothing)
    expect(read(' \n ')).toEqual(nothing)
    expect(read('…\n!!!').sentences).toEqual([])
  })
})
