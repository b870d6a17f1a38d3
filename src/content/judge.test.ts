/** Tests of what counts as said already. */

import { describe, expect, test } from 'vitest'
import { contentRequest, fourDayWeek } from '../../test/builders/content-request.ts'
import { judge } from './judge.ts'
import type { Draft } from './limits.ts'

const none = { links: [] }
const judged = (draft: Draft, recentTexts: readonly string[] = [], text = fourDayWeek) =>
  judge(draft, contentRequest({ recentTexts, text, limits: { maximumLength: 1000 } }), none)
const refused = (part: string) => ({
  kind: 'refused',
  why: expect.stringContaining(part) as string,
})

describe('a comment', () => {
  const draft: Draft = { kind: 'comment', text: 'Questions about this are welcome here.' }

  test('is refused where it was said lately, in nearly the same words', () => {
    expect(judged(draft, ['Something else.', 'QUESTIONS about this are welcome here! 🎉'])).toEqual(
      refused('recent text'),
    )
    expect(judged(draft, ['What did I leave out?'])).toMatchObject({ kind: 'passed' })
  })

  test('is refused where it only repeats the post', () => {
    expect(judged({ kind: 'comment', text: `So: ${fourDayWeek}` })).toEqual(refused('repeats'))
  })

  test('is refused where a rule is broken', () => {
    expect(judged({ kind: 'comment', text: 'See evil.example' })).toEqual(refused('links to'))
  })
})

describe('an edit', () => {
  const draft: Draft = { kind: 'edit', addition: 'PS: what would you add?' }
  const landed = `${fourDayWeek}\n\nPS: what would you add?`

  test('is compared by what it adds to the same post', () => {
    expect(judged(draft, [landed])).toEqual(refused('recent text'))
    expect(judged(draft, [`${fourDayWeek}\n\nEdit: thank you for reading.`])).toMatchObject({
      kind: 'passed',
    })
  })

  test('is compared as a whole with what was said about other posts', () => {
    expect(judged(draft, [`Another post about bread.\n\nPS: what would you add?`])).toMatchObject({
      kind: 'passed',
    })
    const elsewhere = `We cut half of the meetings. ${fourDayWeek}\n\nPS: what would you add?`
    expect(judged(draft, [elsewhere])).toEqual(refused('recent text'))
  })

  test('is refused where the post says so already', () => {
    expect(judged(draft, [landed], landed)).toEqual(refused('says so already'))
  })

  test('passes after another one has landed', () => {
    const next: Draft = { kind: 'edit', addition: 'Edit: simple questions are welcome.' }
    expect(judged(next, [landed], landed)).toEqual({
      kind: 'passed',
      text: `${landed}\n\nEdit: simple questions are welcome.`,
    })
  })
})

test('a thread may take the post up, but not what a recent thread said', () => {
  const draft: Draft = {
    kind: 'thread',
    segments: ['The first month was chaos and we nearly gave up.', 'Would you try it?'],
  }
  const post = 'The first month was chaos and we nearly gave up. Would you try it?'
  expect(judged(draft, [], post)).toMatchObject({ kind: 'passed' })
  expect(judged(draft, [draft.segments.join('\n---\n')])).toEqual(refused('recent text'))
})
