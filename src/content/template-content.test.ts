/** Tests of what is said from templates. */

import { describe, expect, test } from 'vitest'
import { contentRequest, fourDayWeek } from '../../test/builders/content-request.ts'
import type { ContentRequest } from './content.ts'
import { nearlyIdentical, similarity } from './similarity.ts'
import { createTemplateContent } from './template-content.ts'
import type { TemplateContentOptions } from './template-content.ts'
import { tones } from './templates.ts'

async function write(request: ContentRequest, options: TemplateContentOptions = {}) {
  return createTemplateContent(options).write(request)
}

async function textOf(request: ContentRequest, options: TemplateContentOptions = {}) {
  const written = await write(request, options)
  if (written.kind === 'nothing') throw new Error(written.why)
  return written.text
}

/** Words that differ, where numbers would be taken as alike. */
const letters = (index: number) =>
  index.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))

const nothing = (part: string) => ({
  kind: 'nothing',
  why: expect.stringContaining(part) as string,
})

describe('the choice of words', () => {
  test('is the same for the same request', async () => {
    const request = contentRequest()
    expect(await write(request)).toEqual(await write(request))
  })

  test('is another one for the next generation, whatever an edit changed', async () => {
    for (const action of ['comment', 'edit'] as const) {
      const said: string[] = []
      for (const generation of [0, 1, 2, 3]) {
        said.push(await textOf(contentRequest({ action, generation })))
      }
      expect(new Set(said).size).toBe(4)
    }
    const [first, edited] = [contentRequest(), contentRequest({ text: `${fourDayWeek}\n\nPS.` })]
    expect(await write(first)).toEqual(await write(edited))
  })

  test('begins elsewhere for another post, so that every variant is used', async () => {
    const content = createTemplateContent()
    const sources = new Set<string>()
    for (let index = 0; index < 100; index += 1) {
      const written = await content.write(
        contentRequest({ publishedAt: 1_700_000_000_000 + index }),
      )
      sources.add(written.kind === 'text' ? written.source : written.why)
    }
    expect(sources.size).toBe(9)
  })

  test('is seldom the same for two posts', async () => {
    const content = createTemplateContent()
    const said = new Map<string, number>()
    const count = 300
    for (let index = 0; index < count; index += 1) {
      const text =
        `We changed rule ${letters(index)} at work today. ` +
        `It took us ${letters(index + 1)} weeks of talking. ` +
        `Then ${letters(index + 2)} people asked for more. Would ${letters(index)} work for you?`
      const publishedAt = 1_700_000_000_000 + index * 60_000
      const written = await content.write(contentRequest({ text, publishedAt }))
      const key = written.kind === 'text' ? written.text : written.kind
      said.set(key, (said.get(key) ?? 0) + 1)
    }
    const pairs = [...said.values()].reduce((sum, times) => sum + times * (times - 1), 0)
    expect(pairs / (count * (count - 1))).toBeLessThan(0.06)
  })

  test('avoids what was said lately, until there is nothing left', async () => {
    const recentTexts: string[] = []
    let written = await write(contentRequest())
    while (written.kind === 'text') {
      const { text } = written
      expect(recentTexts.every((known) => similarity(known, text) < nearlyIdentical)).toBe(true)
      recentTexts.unshift(text)
      written = await write(contentRequest({ recentTexts }))
    }
    expect(recentTexts.length).toBeGreaterThanOrEqual(6)
    expect(written).toEqual(nothing('nearly the same as a recent text'))
  })

  test('follows the tone, which may hang on the request', async () => {
    const tone = ({ handle }: ContentRequest) => (handle === 'shy' ? 'curious' : 'warm')
    expect(await write(contentRequest({ handle: 'shy' }), { tone })).toMatchObject({
      source: expect.stringMatching(/^template:curious-comment-/) as string,
    })
    expect(await write(contentRequest({ handle: 'other' }), { tone })).toMatchObject({
      source: expect.stringMatching(/^template:warm-comment-/) as string,
    })
  })

  test('prefers what was written for the network, simulated or not', async () => {
    for (const platform of ['mastodon', 'simulated-mastodon']) {
      const source = expect.stringMatching(/^template:mastodon-plain-edit-/) as string
      expect(await write(contentRequest({ action: 'edit', platform }))).toMatchObject({ source })
    }
    const text = await textOf(contentRequest({ action: 'edit', platform: 'linkedin' }))
    expect(text).not.toContain('replies')
  })
})

describe('a comment', () => {
  test('says something about every kind of post that is English, in every tone', async () => {
    for (const text of ['', '🎉', 'Look at this', fourDayWeek, 'https://example.org/photo']) {
      for (const tone of tones) {
        expect(await write(contentRequest({ text }), { tone })).toMatchObject({ kind: 'text' })
      }
    }
  })

  test.each([
    ['is not English', 'Wir haben die Hälfte der Sitzungen gestrichen und das ist gut.', 'English'],
    ['may be about something grave', 'My grandmother died this morning.', 'grave'],
  ])('is not made from ready-made words where the post %s', async (_name, text, why) => {
    expect(await write(contentRequest({ text }))).toEqual(nothing(why))
    const templates = [{ name: 'mine', action: 'comment' as const, text: 'Danke fürs Lesen.' }]
    expect(await write(contentRequest({ text }), { templates })).toMatchObject({
      text: 'Danke fürs Lesen.',
    })
  })
})

describe('an edit', () => {
  test('keeps the whole text and adds a line', async () => {
    for (const tone of tones) {
      const text = await textOf(
        contentRequest({ action: 'edit', limits: { maximumLength: 500 } }),
        {
          tone,
        },
      )
      expect(text.startsWith(`${fourDayWeek}\n\n`)).toBe(true)
      expect(text.length - fourDayWeek.length).toBeLessThan(100)
    }
  })

  test('is not made where it does not fit', async () => {
    const request = contentRequest({
      action: 'edit',
      limits: { maximumLength: fourDayWeek.length + 10 },
    })
    expect(await write(request)).toEqual(nothing('would have'))
  })

  test('is not made where the text of the post is not known', async () => {
    expect(await write(contentRequest({ action: 'edit', text: '' }))).toEqual(nothing('no text'))
  })
})

describe('a thread', () => {
  test('takes up the statements of the post and closes with its question', async () => {
    const text = await textOf(contentRequest({ action: 'thread' }))
    const segments = text.split('\n---\n')
    expect(segments).toHaveLength(4)
    expect(segments[0]).toMatch(/\n\n1\. The first month was chaos and we nearly gave up\.$/)
    expect(segments.slice(1)).toEqual([
      '2. Then we cut half of the meetings.',
      '3. Support tickets are answered faster than before.',
      'Would you try it with your team?',
    ])
  })

  test('closes with a question of its own where the post asks none', async () => {
    const text = fourDayWeek.replace(' Would you try it with your team?', '')
    for (const tone of tones) {
      const said = await textOf(contentRequest({ action: 'thread', text }), { tone })
      expect(said).toMatch(/\n---\n[^\n]+\?$/)
    }
  })

  test('keeps to the number of posts that the network takes', async () => {
    const request = contentRequest({ action: 'thread', limits: { threadMaximum: 3 } })
    expect((await textOf(request)).split('\n---\n')).toHaveLength(3)
  })

  test('goes on with later statements in the next generation', async () => {
    const more = Array.from({ length: 9 }, (_, index) => `Statement number ${index} has its words.`)
    const request = { action: 'thread' as const, text: more.join(' ') }
    const first = await textOf(contentRequest(request))
    const second = await textOf(contentRequest({ ...request, generation: 1, recentTexts: [first] }))
    expect(first).toContain('1. Statement number 1 has')
    expect(second).toContain('1. Statement number 5 has')
  })

  test.each([
    ['has no statements', 'Look at this!', 300, 10],
    ['has one statement', 'We cut half of the meetings.', 300, 10],
    ['may only be followed by one post', fourDayWeek, 300, 2],
  ])('is not made where a post %s', async (_name, text, maximumLength, threadMaximum) => {
    const request = contentRequest({
      action: 'thread',
      text,
      limits: { maximumLength, threadMaximum },
    })
    expect(await write(request)).toEqual(nothing('fewer than two statements'))
  })
})

describe("an owner's templates", () => {
  const mine = {
    name: 'mine',
    action: 'comment' as const,
    text: 'Hello from {{ account.handle }}.',
  }

  test('take the place of the built-in ones where they fit', async () => {
    const templates = [{ ...mine, platforms: ['bluesky'], tones: ['plain' as const] }]
    expect(await write(contentRequest(), { templates })).toMatchObject({ source: 'template:mine' })
    for (const request of [contentRequest({ platform: 'x' }), contentRequest({ action: 'edit' })]) {
      expect(await write(request, { templates })).toMatchObject({
        source: expect.stringMatching(/^template:plain-/) as string,
      })
    }
  })

  test('are not mixed with the built-in ones once they are used up', async () => {
    const recentTexts = ['Hello from someone.example.']
    expect(await write(contentRequest({ recentTexts }), { templates: [mine] })).toEqual(
      nothing('recent text'),
    )
  })

  test('may fail on one post, and the next one is tried', async () => {
    const asksTooMuch = { ...mine, name: 'asks', text: '{{ post.sentences[2] }} What do you say?' }
    const options = { templates: [asksTooMuch, mine] }
    for (const generation of [0, 1]) {
      expect(await write(contentRequest({ text: 'Short.', generation }), options)).toMatchObject({
        source: 'template:mine',
      })
    }
    expect(await write(contentRequest({ text: 'Short.' }), { templates: [asksTooMuch] })).toEqual(
      nothing('template asks: line 1: undefined variable: post.sentences.2'),
    )
  })

  test('keep the same rules', async () => {
    const templates = [{ ...mine, text: 'Buy at shop.example' }]
    expect(await write(contentRequest(), { templates })).toEqual(nothing('links to shop.example'))
    expect(
      await write(contentRequest(), { templates, allowedLinks: ['shop.example'] }),
    ).toMatchObject({ kind: 'text' })
  })

  test('that cannot be used are refused at once', () => {
    const templates = [{ ...mine, text: '{{ post.title }}' }]
    expect(() => createTemplateContent({ templates })).toThrow(
      'templates.mine.text: line 1: unknown variable post.title',
    )
  })
})
