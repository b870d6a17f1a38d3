/** Whatever a post holds: what is said keeps every rule, and nothing in the post is run. */

import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  anyPostText,
  contentRequest,
  countCharacters,
} from '../../test/builders/content-request.ts'
import { actions, tiers } from '../core/action.ts'
import { splitSegments } from '../core/segments.ts'
import type { ContentRequest, ContentResult } from './content.ts'
import { createModelContent } from './model-content.ts'
import { createTemplateContent } from './template-content.ts'
import { tones } from './templates.ts'

const countBytes = (text: string) => new TextEncoder().encode(text).length

const anyRequest: fc.Arbitrary<ContentRequest> = fc
  .record({
    text: anyPostText,
    action: fc.constantFrom(...actions),
    tier: fc.constantFrom(...tiers),
    generation: fc.nat(5),
    platform: fc.constantFrom('bluesky', 'mastodon', 'x', 'simulated-telegram'),
    publishedAt: fc.integer({ min: 1_600_000_000_000, max: 1_800_000_000_000 }),
    recentTexts: fc.array(anyPostText, { maxLength: 2 }),
    maximumLength: fc.constantFrom(0, 20, 140, 300, 500, 200_000),
    measure: fc.constantFrom(countCharacters, countBytes, (text: string) => text.length),
    threadMaximum: fc.constantFrom(1, 3, 10),
  })
  .map(({ maximumLength, measure, threadMaximum, ...rest }) =>
    contentRequest({ ...rest, limits: { maximumLength, measure, threadMaximum } }),
  )

/** The rules that a result breaks, told in other words than those of the code that keeps them. */
function breaches(request: ContentRequest, result: ContentResult): readonly string[] {
  if (result.kind === 'nothing') return result.why === '' ? ['no reason'] : []
  const { action, post, limits } = request
  const { text } = result
  const posts = action === 'thread' ? splitSegments(text) : [text]
  const added = addedBy(request, text)
  const read = post.text.normalize('NFKC')
  const rules: readonly (readonly [string, boolean])[] = [
    ['number of posts', posts.length > 0 && posts.length <= limits.threadMaximum],
    ['empty post', posts.every((one) => one.trim() !== '')],
    ['length', posts.every((one) => limits.measure(one) <= limits.maximumLength)],
    ['half a character', text.isWellFormed()],
    ['original', action !== 'edit' || text.startsWith(post.text)],
    ['hidden', !Array.from(added).some(isHidden)],
    ['link', matches(added, /\w+:\/\/[^\s…]+/g).every((link) => read.includes(trimmed(link)))],
    ['mention', matches(added, /(?<!\w)@\w+/g).every((name) => post.text.includes(name))],
  ]
  return rules.filter(([, isKept]) => !isKept).map(([name]) => name)
}

function addedBy({ action, post }: ContentRequest, text: string): string {
  return action === 'edit' ? text.slice(post.text.length) : text
}

function isHidden(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0)
  const isBidi = (code >= 0x200e && code <= 0x200f) || (code >= 0x2028 && code <= 0x202e)
  return (isControl && code !== 0x0a) || isBidi || (code >= 0x2060 && code <= 0x206f)
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return text.match(pattern) ?? []
}

function trimmed(link: string): string {
  return link.replace(/\W+$/, '')
}

/** What is quoted or taken up and does not stand in the post. */
function madeUp(request: ContentRequest, result: ContentResult): readonly string[] {
  if (result.kind === 'nothing') return []
  const added = addedBy(request, result.text)
  const post = request.post.text.split(/\s+/u).join(' ')
  return [
    ...matches(added, /(?<=“)[^”…]*/g),
    ...matches(added, /(?<=^\d\. )[^…\n]*/gm),
    ...matches(added, /:\/\/|@/g),
  ].filter((part) => !post.includes(part) || part === '@' || part === '://')
}

describe('from the built-in templates', () => {
  test('every rule is kept, and every quote and point stands in the post', async () => {
    let said = 0
    await fc.assert(
      fc.asyncProperty(anyRequest, fc.constantFrom(...tones), async (request, tone) => {
        const result = await createTemplateContent({ tone }).write(request)
        said += result.kind === 'text' ? 1 : 0
        expect(breaches(request, result)).toEqual([])
        expect(madeUp(request, result)).toEqual([])
      }),
      { numRuns: 400 },
    )
    expect(said).toBeGreaterThan(100)
  })
})

describe("from an owner's templates that repeat all of a post", () => {
  const list = '{% for s in post.sentences %}{{ s }}\n---\n{% endfor %}'
  const templates = actions.map((action) => ({
    name: `all-${action}`,
    action,
    text: `I said: {{ post.text }}\n---\n${list}Yes?`,
  }))

  test('every rule is kept, and Liquid in the post stays text', async () => {
    let said = 0
    await fc.assert(
      fc.asyncProperty(anyRequest, async (request) => {
        const result = await createTemplateContent({ templates }).write(request)
        const text = result.kind === 'text' ? result.text : ''
        said += text === '' ? 0 : 1
        expect(breaches(request, result)).toEqual([])
        // Seven times six would be it.
        expect(text.includes('42') && !request.post.text.includes('42')).toBe(false)
      }),
      { numRuns: 400 },
    )
    expect(said).toBeGreaterThan(40)
  })

  test('what looks like Liquid is said as it stands', async () => {
    const first = '{{ 7 | times: 6 }} {% include "secrets" %} {{ post.nope }} <b>&amp;</b>'
    const text = `${first}\nAnd there are other lines of which I say nothing in my comment.`
    const template = { name: 'first', action: 'comment' as const, text: 'So: {{ post.firstLine }}' }
    const content = createTemplateContent({ templates: [template] })
    expect(await content.write(contentRequest({ text }))).toMatchObject({ text: `So: ${first}` })
  })
})

describe('from a model that says whatever it likes', () => {
  test('every rule is kept', async () => {
    let said = 0
    const fallback = createTemplateContent()
    const clock = { now: () => 0, monotonicMs: () => 0, sleep: () => new Promise<void>(() => {}) }
    const answers = fc.oneof(
      anyPostText.map((text) => ({ text })),
      fc.array(anyPostText, { maxLength: 6 }).map((segments) => ({ segments })),
      fc.anything(),
    )
    await fc.assert(
      fc.asyncProperty(anyRequest, answers, async (request, answer) => {
        const model = { name: 'wild', generate: async () => answer }
        const result = await createModelContent({ model, fallback, clock }).write(request)
        said += result.kind === 'text' && result.source === 'model:wild' ? 1 : 0
        expect(breaches(request, result)).toEqual([])
      }),
      { numRuns: 600 },
    )
    expect(said).toBeGreaterThan(10)
  })
})
