/** What the API says about posts, what can be pushed to it, and what would be decided. */

import { beforeEach, describe, expect, test } from 'vitest'
import { hourMs, minuteMs } from '../src/core/duration.ts'
import { formatInstant } from '../src/core/instant.ts'
import { standardPolicy } from '../src/core/policies/standard.ts'
import { SelfHealingExecutor } from '../src/classic/self-healing-executor.ts'
import { join } from 'node:path'
import type { AccountDetail } from '../src/server/schema/account.ts'
import type { EvaluationView, PostDetail, PostPage, PostView } from '../src/server/schema/post.ts'
import type { Pushed, SampleView } from '../src/server/schema/sample.ts'
import { scratchFolder } from './server/scratch.ts'
import { World } from './server/world.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})

async function firstPost(): Promise<string> {
  await world.awaiting()
  return (await world.stage.post()).id
}

describe('the list', () => {
  test('is newest first and goes on page by page until it ends', async () => {
    for (let count = 0; count < 7; count += 1) {
      world.stage.publish(`Post ${count}`, {}, count % 2 === 0 ? 'ann' : 'bob')
      await world.pass(20 * minuteMs)
    }
    const seen: string[] = []
    let query = '?limit=3'
    for (;;) {
      const { body } = await world.get<PostPage>(`/posts${query}`)
      seen.push(...body.items.map(({ text }) => text ?? ''))
      if (body.next === null) break
      query = `?limit=3&cursor=${encodeURIComponent(body.next)}`
    }
    expect(seen).toEqual([6, 5, 4, 3, 2, 1, 0].map((count) => `Post ${count}`))
  })

  test('is narrowed by account, verdict, words and the owner’s word', async () => {
    const id = await firstPost()
    world.stage.publish('Something else', {}, 'bob')
    await world.pass(20 * minuteMs)
    const texts = async (query: string) =>
      (await world.get<PostPage>(`/posts?${query}`)).body.items.map(({ text }) => text)
    expect(await texts('accountId=bob')).toEqual(['Something else'])
    expect(await texts('text=NOBODY')).toEqual(['A post that nobody sees.'])
    expect(await texts('verdict=plan')).toEqual([])
    expect(await texts('verdict=hold')).toEqual(['A post that nobody sees.'])
    expect(await texts('neverTouch=true')).toEqual([])
    await world.call('PUT', `/posts/${id}/never-touch`, { on: true })
    expect(await texts('neverTouch=true')).toEqual(['A post that nobody sees.'])
    expect(await texts('status=gone')).toEqual([])
  })

  test('shows the latest verdict, the newest reading, a curve and the action', async () => {
    const action = await world.awaiting()
    const { body } = await world.get<PostPage>('/posts?accountId=ann')
    const [post] = body.items
    expect(post).toMatchObject({
      latest: { kind: 'plan' },
      newestSample: { engagements: 0 },
      action: { id: action.id, action: 'comment', state: 'awaiting_approval' },
    })
    expect(post?.sparkline.length).toBeGreaterThan(1)
  })

  test.each(['limit=0', 'limit=201', 'limit=many', 'cursor=nonsense', 'status=odd', 'verdict=x'])(
    'refuses ?%s and names the field',
    async (query) => {
      const answer = await world.get<{ errors: { field: string }[] }>(`/posts?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.headers.get('content-type')).toBe('application/problem+json')
      expect(answer.body.errors).toHaveLength(1)
    },
  )
})

describe('one post', () => {
  test('comes with all that explains it', async () => {
    const id = await firstPost()
    await world.pass(hourMs)
    const { body } = await world.get<PostDetail>(`/posts/${id}`)
    expect(body).toMatchObject({ id, handle: 'ann', policy: 'stage@1', band: [] })
    expect(body.samples.length).toBeGreaterThan(2)
    expect(body.actions).toHaveLength(1)
    expect(body.verdicts[0]).toMatchObject({ kind: 'hold', reason: 'open_action', postId: id })
    expect(body.verdicts[0]?.sentence).toContain('held by open_action')
    expect(body.verdicts[0]?.guards.length).toBe(world.stage.policy.guards.length)
    expect(body.nextPossible?.until).toEqual({ kind: 'event', event: 'action_ended' })
    expect(body.nextPossible?.sentence).toContain('until the open action ends')
  })

  test('every evaluation is put into words, also those that could not tell', async () => {
    const id = await firstPost()
    const { body } = await world.get<PostDetail>(`/posts/${id}`)
    const kinds = new Set(body.verdicts.map(({ kind }) => kind))
    expect(kinds).toEqual(new Set(['plan', 'hold', 'insufficient']))
    for (const verdict of body.verdicts) expect(verdict.sentence).not.toContain('not kept')
  })

  test('that is not there is a 404', async () => {
    expect((await world.get('/posts/nothing')).status).toBe(404)
    expect((await world.get('/posts/nothing/samples')).status).toBe(404)
    expect((await world.post('/posts/nothing/evaluate')).status).toBe(404)
  })

  test('what would be decided now is told and not stored', async () => {
    const id = await firstPost()
    const before = await world.stage.verdicts()
    const { body } = await world.post<EvaluationView>(`/posts/${id}/evaluate`)
    expect(body.verdict).toMatchObject({ kind: 'hold', reason: 'open_action' })
    expect(await world.stage.verdicts()).toEqual(before)
  })

  test('a check is brought ahead', async () => {
    const id = await firstPost()
    const { body } = await world.post<PostView>(`/posts/${id}/check`)
    expect(body.nextCheckAt).toBe(formatInstant(await world.ledger.now()))
  })
})

describe('pushed readings', () => {
  async function externalPost(): Promise<{ accountId: string; postId: string }> {
    const account = await world.post<AccountDetail>('/accounts', {
      kind: 'external',
      handle: 'my-tool',
      policy: 'stage@1',
    })
    const accountId = account.body.id
    const publishedAt = formatInstant((await world.ledger.now()) - 4 * hourMs)
    const wish = { accountId, remoteId: 'p-1', publishedAt, text: 'Pushed' }
    const post = await world.post<PostView>('/posts', wish)
    return { accountId, postId: post.body.id }
  }

  async function samplesOf(postId: string, ages: readonly number[]) {
    const now = await world.ledger.now()
    return ages.map((minutes, index) => ({
      postId,
      sample: {
        at: formatInstant(now - minutes * minuteMs),
        impressions: 1000 * (index + 1),
        engagements: 0,
      },
    }))
  }

  test('of a post without a connector are stored and judged at once', async () => {
    const { postId } = await externalPost()
    const samples = await samplesOf(postId, [80, 60, 40, 20, 0])
    const { body } = await world.post<Pushed>('/samples', { samples })
    expect(body.recorded).toBe(5)
    expect(body.verdicts).toMatchObject([{ postId, kind: 'plan' }])
    const again = await world.post<Pushed>('/samples', { samples })
    expect(again.body.recorded).toBe(0)
    const stored = await world.get<{ items: SampleView[] }>(`/posts/${postId}/samples`)
    expect(stored.body.items).toHaveLength(5)
    // Nobody else acts on it, and no engine stumbles over it.
    await world.pass(hourMs)
    expect(await world.stage.actions()).toEqual([])
    expect(world.stage.problems).toEqual([])
  })

  test('of a post with a connector bring the engine’s next look ahead', async () => {
    world.stage.publish()
    await world.pass(minuteMs)
    const { id, nextCheckAt } = await world.stage.post()
    expect(nextCheckAt).toBeGreaterThan(await world.ledger.now())
    const samples = await samplesOf(id, [0])
    const { body } = await world.post<Pushed>('/samples', { samples })
    expect(body).toEqual({ recorded: 1, verdicts: [] })
    expect((await world.stage.post()).nextCheckAt).toBe(await world.ledger.now())
  })

  test('count as a whole: one that is wrong, and none is stored', async () => {
    const { postId } = await externalPost()
    const good = await samplesOf(postId, [30, 20])
    const [first] = good
    const bad = [
      [{ postId: 'nothing', sample: first?.sample }, 'samples[2].postId'],
      [{ postId, sample: { ...first?.sample, engagements: -1 } }, 'samples[2].sample.engagements'],
      [{ postId, sample: { ...first?.sample, at: '2026-07-15' } }, 'samples[2].sample.at'],
      [
        { postId, sample: { ...first?.sample, at: '2099-01-01T00:00:00Z' } },
        'samples[2].sample.at',
      ],
      [{ postId, sample: { ...first?.sample, likes: 3 } }, 'samples[2].sample.likes'],
    ] as const
    for (const [entry, field] of bad) {
      const answer = await world.post('/samples', { samples: [...good, entry] })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ errors: [{ field }] })
    }
    expect(await world.ledger.listSamples((await world.stage.post()).id)).toEqual([])
  })

  test('an account without a connector stays in watch', async () => {
    const { accountId } = await externalPost()
    const answer = await world.call('PATCH', `/accounts/${accountId}`, { mode: 'auto' })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ errors: [{ field: 'mode' }] })
  })

  test('a post is tracked once, however often it is sent', async () => {
    const { accountId, postId } = await externalPost()
    const publishedAt = formatInstant((await world.ledger.now()) - hourMs)
    const again = await world.post<PostView>('/posts', { accountId, remoteId: 'p-1', publishedAt })
    expect(again.body).toMatchObject({ id: postId, text: 'Pushed' })
  })
})

describe('the stateless question', () => {
  const now = '2026-07-15T12:00:00Z'
  const samples = [0, 1, 2, 3, 4].map((index) => ({
    at: formatInstant(Date.parse(now) - (80 - index * 20) * minuteMs),
    impressions: 1000 * (index + 1),
    engagements: 0,
  }))
  const post = { id: 'p', publishedAt: '2026-07-15T09:00:00Z' }

  test('takes a stored policy, a whole one, or the recommended one', async () => {
    const quick = { ...standardPolicy, looks: { ...standardPolicy.looks, required: 1 } }
    const ask = async (policy?: unknown) =>
      (await world.post<EvaluationView>('/evaluate', { post, samples, now, policy })).body
    expect((await ask()).verdict).toMatchObject({ kind: 'hold', reason: 'confirming' })
    expect(await ask('stage@1')).toMatchObject({ verdict: { kind: 'plan' }, action: 'comment' })
    expect((await ask({ ...quick, name: 'mine', version: 3 })).verdict).toMatchObject({
      kind: 'plan',
      policy: 'mine@3',
    })
    expect((await ask('nothing@1')) as unknown).toMatchObject({
      status: 400,
      errors: [{ field: 'policy' }],
    })
    expect((await ask({ name: 'broken' })) as unknown).toMatchObject({
      status: 400,
      errors: [{ field: 'policy.version' }],
    })
  })

  test('says what is missing where there is nothing to judge', async () => {
    const answer = await world.post<EvaluationView>('/evaluate', { post, samples: [], now })
    expect(answer.body).toMatchObject({
      verdict: { kind: 'insufficient', reason: 'insufficient_samples', score: null },
      action: null,
      key: null,
    })
    expect(answer.body.verdict.sentence).toContain('there are 0 usable samples')
  })

  test('knows the past that it is told', async () => {
    const entry = {
      action: 'comment',
      tier: 'tier_3',
      state: 'success',
      at: '2026-07-15T11:50:00Z',
    }
    const history = [{ ...entry, endedAt: '2026-07-15T11:50:05Z' }]
    const body = { post, samples, now, policy: 'stage@1', history }
    const answer = await world.post<EvaluationView>('/evaluate', body)
    expect(answer.body.verdict).toMatchObject({ kind: 'hold', reason: 'action_cooldown' })
    const open = await world.post('/evaluate', { ...body, history: [entry] })
    expect(open.body).toMatchObject({ status: 400, errors: [{ field: 'history[0].endedAt' }] })
  })

  test('in the classic words answers as the original does', async () => {
    const folder = scratchFolder()
    const executor = new SelfHealingExecutor({ persistencePath: join(folder, 'history.json') })
    const points = samples.map(({ at, impressions, engagements }) => ({
      timestamp: at,
      impressions,
      engagements,
    }))
    for (const metrics of [points, points.slice(0, 2), points.slice(2)]) {
      const { body } = await world.post('/evaluate/classic', { post_id: 'p', metrics, now })
      expect(body).toEqual(executor.evaluateAndPlan('p', metrics, now))
    }
    const config = { min_samples_required: 9 }
    const few = await world.post('/evaluate/classic', {
      post_id: 'p',
      metrics: points,
      now,
      config,
    })
    expect(few.body).toMatchObject({ eligible: false, reason: 'insufficient_samples' })
  })
})
