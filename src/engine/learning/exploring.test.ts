/** What an engine does whose policy tries things out, and what is left in the ledger of it. */

import { describe, expect, test } from 'vitest'
import { dayMs } from '../../core/duration.ts'
import { standardPolicy } from '../../core/policies/standard.ts'
import type { Policy } from '../../core/policy.ts'
import type { ContentRequest, ContentResult } from '../../content/index.ts'
import { Stage, once } from '../../../test/builders/engine.ts'
import type { StageOptions } from '../../../test/builders/engine.ts'
import { learn } from '../learn.ts'
import { readChoices } from './choices.ts'

const explore = {
  kind: 'thompson',
  over: ['action', 'template'],
  evenShare: 0.3,
  halfLifeMs: 60 * dayMs,
} as const
const policy: Partial<Policy> = { ...once, ladder: standardPolicy.ladder, explore }

const templates = ['ask', 'quote', 'remind']

/** Three templates in turn, as a writer that says other words in another generation. */
function fromTemplates({ action, post, generation }: ContentRequest): ContentResult {
  const name = templates[generation % templates.length] ?? ''
  const text = action === 'edit' ? `${post.text} And ${name}.` : `To ${name} about ${post.text}`
  return { kind: 'text', text, source: `template:${name}` }
}

async function explored(options: StageOptions = {}, posts = 24) {
  const stage = await Stage.open({ holdoutShare: 0.5, policy, write: fromTemplates, ...options })
  for (let count = 0; count < posts; count += 1) stage.publish(`Post ${count}.`)
  await stage.pass(3 * dayMs)
  const choices = await readChoices(stage.ledger)
  return { stage, choices, rows: await stage.actions(), posts: await stage.posts() }
}

describe('an engine that tries things out', () => {
  test('chooses actions and words, and keeps each with its chance in both arms', async () => {
    const { choices, posts } = await explored()
    for (const arm of ['act', 'holdout']) {
      const drawn = posts.filter((post) => post.arm === arm)
      expect(drawn.length).toBeGreaterThan(3)
      for (const { id } of drawn) {
        const { action, template } = choices.get(id) ?? { action: null, template: null }
        expect(action?.options.map(({ name }) => name)).toEqual(standardPolicy.ladder.tier_3)
        expect(template?.options.map(({ name }) => name).toSorted()).toEqual(templates)
        expect(action?.propensity).toBeGreaterThanOrEqual(0.1)
        expect(template?.propensity).toBeGreaterThanOrEqual(0.1)
      }
    }
    const chosen = [...choices.values()]
    expect(new Set(chosen.map(({ action }) => action?.chosen)).size).toBe(3)
    expect(new Set(chosen.map(({ template }) => template?.chosen)).size).toBe(3)
  })

  test('does and says what was chosen', async () => {
    const { choices, rows } = await explored()
    expect(rows.length).toBeGreaterThan(3)
    for (const { postId, action, text } of rows) {
      expect(choices.get(postId)?.action?.chosen).toBe(action)
      expect(text?.toLowerCase()).toContain(choices.get(postId)?.template?.chosen)
    }
  })

  test('holds out as many as it would have, and the very same posts', async () => {
    const armsOf = (posts: Awaited<ReturnType<typeof explored>>['posts']) =>
      posts.map(({ arm, propensity }) => `${arm} ${propensity}`)
    const plain = await explored({ policy: { ...once, ladder: standardPolicy.ladder } })
    expect(armsOf((await explored()).posts)).toEqual(armsOf(plain.posts))
    expect(plain.choices.size).toBe(0)
    expect(new Set(plain.rows.map(({ action }) => action))).toEqual(new Set(['thread']))
  })

  test('says the same again when it is asked again', async () => {
    expect((await explored()).choices).toEqual((await explored()).choices)
  })

  test('says in its verdict what it was drawn from', async () => {
    const { stage, posts } = await explored({}, 1)
    const verdicts = await stage.ledger.listVerdicts(posts[0]?.id ?? (stage.nextId() as never), 999)
    const traces = verdicts.filter(({ kind }) => kind === 'plan').map(({ trace }) => trace)
    expect(traces.length).toBeGreaterThan(0)
    expect(traces[0]).toMatchObject({ explored: { action: { options: [{}, {}, {}] } } })
  })

  test('is told of beside the lift, which says what it is of', async () => {
    const { stage, choices } = await explored()
    const report = await learn(stage.ledger)
    expect(report.explored).toBe(choices.size)
    expect(report.hints.at(-1)).toContain('of the mix that was drawn')
    const counted = report.byTemplate.map(({ lift }) => lift?.posts ?? 0)
    expect(counted.reduce((sum, one) => sum + one, 0)).toBe(choices.size)
    expect(report.byTemplate.map(({ name }) => name)).toContain('comment/ask')
  })
})

describe('nothing is chosen', () => {
  test('where too few are held out to learn from', async () => {
    const { choices, rows } = await explored({ holdoutShare: 0 }, 6)
    expect(choices.size).toBe(0)
    expect(new Set(rows.map(({ action }) => action))).toEqual(new Set(['thread']))
    const { hints, explored: count } = await learn(
      (await explored({ holdoutShare: 0 }, 1)).stage.ledger,
    )
    expect(count).toBe(0)
    expect(hints.join()).not.toContain('drawn')
  })

  test('where the account only watches', async () => {
    expect((await explored({ mode: 'watch' }, 3)).choices.size).toBe(0)
  })

  test('of the words, where a model wrote them, and it is asked once', async () => {
    let asked = 0
    const write = ({ post }: ContentRequest): ContentResult => {
      asked += 1
      return { kind: 'text', text: `About ${post.text}`, source: 'model:some' }
    }
    const { choices } = await explored({ write }, 6)
    expect(asked).toBe(choices.size)
    for (const { template } of choices.values()) expect(template).toBeNull()
  })
})

test('a way for which there are no words gives way to the policy own one', async () => {
  const write = (request: ContentRequest): ContentResult =>
    request.action === 'thread'
      ? fromTemplates(request)
      : { kind: 'nothing', why: 'no template for it' }
  const { rows, posts, choices } = await explored({ write })
  const acted = posts.filter(({ arm }) => arm === 'act')
  expect(rows.map(({ action }) => action)).toEqual(acted.map(() => 'thread'))
  const drawn = [...choices.values()].flatMap(({ action }) => (action === null ? [] : [action]))
  expect(drawn.every(({ chosen }) => chosen === 'thread')).toBe(true)
  expect(drawn.length).toBeLessThan(posts.length)
})
