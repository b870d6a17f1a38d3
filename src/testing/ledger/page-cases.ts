/** What must be true of lists for people: newest first, nothing twice, nothing left out. */

import assert from 'node:assert/strict'
import { hourMs, minuteMs } from '../../core/duration.ts'
import { toAccountId, toActionId, toPostId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import type { Verdict } from '../../core/verdict.ts'
import type { BackPage, PageOf } from '../../ledger/pages.ts'
import type { AccountRow, PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { success } from './world.ts'
import type { World } from './world.ts'

/** Reads page after page. */
async function allOf<Item>(
  read: (page: BackPage) => Promise<PageOf<Item>>,
  limit: number,
): Promise<readonly Item[]> {
  const items: Item[] = []
  for (let before: string | null = null, turn = 0; turn < 99; turn += 1) {
    const page: PageOf<Item> = await read({ before, limit })
    assert.ok(page.items.length <= limit, 'a page is longer than its limit')
    items.push(...page.items)
    if (page.next === null) return items
    before = page.next
  }
  throw new Error('the pages never end')
}

const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)

async function pageIds(
  { ledger }: World,
  filter: Parameters<typeof ledger.pagePosts>[0],
  limit = 99,
) {
  return idsOf(await allOf((page) => ledger.pagePosts(filter, page), limit))
}

/** A post that is tracked and has no readings. */
async function track(
  world: World,
  account: AccountRow,
  ageMs: number,
  changes: Partial<PostRow> = {},
): Promise<PostRow> {
  const post = world.newPost(account, { publishedAt: noon - ageMs, ...changes })
  await world.ledger.trackPosts([post])
  return post
}

export const pageCases = casesOf('pages', {
  'posts come newest first, those of one instant by their ids': async (world) => {
    const account = await world.account()
    const ages = [3, 1, 2, 1, 1, 5, 4].map((hours) => hours * hourMs)
    const posts: PostRow[] = []
    for (const ageMs of ages) posts.push(await track(world, account, ageMs))
    const expected = idsOf(
      posts.toSorted((a, b) => b.publishedAt - a.publishedAt || (a.id < b.id ? 1 : -1)),
    )
    await world.harness.reopen()
    for (const limit of [1, 2, 3, 7, 8]) {
      assert.deepEqual(await pageIds(world, {}, limit), expected, `limit ${limit}`)
    }
  },

  'a page that was filled says whether there is more': async (world) => {
    const account = await world.account()
    const old = await track(world, account, 2)
    const young = await track(world, account, 1)
    const { ledger } = world
    const whole = await ledger.pagePosts({}, { before: null, limit: 2 })
    assert.deepEqual([idsOf(whole.items), whole.next], [[young.id, old.id], null])
    const half = await ledger.pagePosts({}, { before: null, limit: 1 })
    assert.ok(half.next)
    // What is tracked meanwhile does not move what is still to come.
    await track(world, account, 0)
    const rest = await ledger.pagePosts({}, { before: half.next, limit: 9 })
    assert.deepEqual([idsOf(rest.items), rest.next], [[old.id], null])
  },

  'a place that no page gave is refused by its name': async (world) => {
    const isInput = (error: unknown) => error instanceof InputError && error.field === 'before'
    const page = { before: 'nonsense', limit: 9 }
    await assert.rejects(world.ledger.pagePosts({}, page), isInput)
    await assert.rejects(world.ledger.pageActions({}, page), isInput)
    await assert.rejects(world.ledger.pageEvents({}, page), isInput)
  },

  'posts are found by account, platform, status, word of the owner and text': async (world) => {
    const ann = await world.account()
    const ben = await world.account({ platform: 'mastodon' })
    const one = await track(world, ann, 1, { text: 'Über den WOLKEN' })
    const two = await track(world, ann, 2, { neverTouch: true, text: null })
    const three = await track(world, ben, 3, { text: 'under 100% cloud_s' })
    await world.ledger.closePost(three.id, 'gone')
    const [a, b, c] = [one.id, two.id, three.id]
    assert.deepEqual(await pageIds(world, { accountId: ann.id }), [a, b])
    assert.deepEqual(await pageIds(world, { accountIds: [ben.id, ann.id] }, 1), [a, b, c])
    assert.deepEqual(await pageIds(world, { accountIds: [] }), [])
    assert.deepEqual(await pageIds(world, { accountId: ann.id, accountIds: [ben.id] }), [])
    assert.deepEqual(await pageIds(world, { accountId: toAccountId('nobody') }), [])
    assert.deepEqual(await pageIds(world, { platform: 'mastodon' }), [c])
    assert.deepEqual(await pageIds(world, { status: 'watched' }), [a, b])
    assert.deepEqual(await pageIds(world, { status: 'gone', accountId: ann.id }), [])
    assert.deepEqual(await pageIds(world, { neverTouch: true }), [b])
    assert.deepEqual(await pageIds(world, { neverTouch: false }), [a, c])
    assert.deepEqual(await pageIds(world, { text: 'über den w' }), [a])
    assert.deepEqual(await pageIds(world, { text: '0% CLOUD_' }), [c])
    assert.deepEqual(await pageIds(world, { text: 'cloud%' }), [])
  },

  'posts are found by their latest verdict, whichever was written last': async (world) => {
    const post = await world.post()
    const quiet = await world.post()
    assert.deepEqual(await pageIds(world, { latest: 'hold' }), [])
    await world.look(post)
    assert.deepEqual(await pageIds(world, { latest: 'hold' }), [post.id])
    world.clock.advance(2 * hourMs)
    await world.recover(post)
    const healthy = await world.look(post)
    assert.equal(healthy.kind, 'healthy')
    assert.deepEqual(await pageIds(world, { latest: 'hold' }), [])
    assert.deepEqual(await pageIds(world, { latest: 'healthy', status: 'watched' }), [post.id])
    const { trace } = healthy.verdict
    const evidence = { ...trace.evidence, lastAt: noon - 1 }
    const late: Verdict = {
      kind: 'insufficient',
      lack: { reason: 'short_span', spanMs: 0, minimumMs: 1 },
      trace: { ...trace, evidence },
    }
    const command = { verdict: late, nextCheckAt: null }
    await world.ledger.recordVerdict(post.id, command)
    assert.deepEqual(await pageIds(world, { latest: 'insufficient' }), [])
    assert.deepEqual(await pageIds(world, { latest: 'healthy' }), [post.id])
    await world.look(quiet)
    assert.equal((await pageIds(world, {})).length, 2)
  },

  'a summary says what became of the post lately': async (world) => {
    const post = await world.post()
    const read = async () => {
      const { items } = await world.ledger.pagePosts({}, { before: null, limit: 9 })
      return items[0]
    }
    const samples = await world.ledger.listSamples(post.id)
    const points = samples.map(({ at, engagements }) => ({ at, engagements }))
    const bare = { latest: null, newest: samples.at(-1), points, action: null }
    assert.deepEqual(await read(), { ...post, ...bare })
    const { row } = await world.look(post)
    const { kind, reason, score, tier, until, evaluatedAt } = row
    const done = await world.succeeded(post)
    const open = await world.plan(post, { action: 'edit', tier: 'tier_2' })
    await world.harness.reopen()
    const stored = await world.ledger.getPost(post.id)
    assert.deepEqual(await read(), {
      ...stored,
      ...bare,
      latest: { kind, reason, score, tier, until, evaluatedAt },
      action: { id: open.id, action: 'edit', state: 'planned' },
    })
    await world.decide(open, { kind: 'cancel', reason: 'no' })
    assert.equal((await read())?.action?.state, 'cancelled')
    assert.equal(done.state, 'success')
  },

  'a long curve is thinned evenly, and keeps both its ends': async (world) => {
    const post = await track(world, await world.account(), 0)
    const record = (count: number) =>
      world.ledger.recordSamples(
        Array.from({ length: count }, (_, index) => ({
          postId: post.id,
          sample: {
            at: noon + index * minuteMs,
            impressions: null,
            engagements: index,
            interactions: { likes: index },
          },
        })),
      )
    const read = async () => {
      const { items } = await world.ledger.pagePosts({}, { before: null, limit: 9 })
      return items[0]
    }
    const agesOf = (points: readonly { readonly at: number }[] = []) =>
      points.map(({ at }) => (at - noon) / minuteMs)
    assert.deepEqual([(await read())?.points, (await read())?.newest], [[], null])
    await record(24)
    assert.deepEqual(
      agesOf((await read())?.points),
      Array.from({ length: 24 }, (_, age) => age),
    )
    await record(231)
    const summary = await read()
    assert.deepEqual(
      agesOf(summary?.points),
      Array.from({ length: 24 }, (_, index) => index * 10),
    )
    assert.deepEqual(summary?.newest?.interactions, { likes: 230 })
    // A gap of many hours is one step of the curve.
    const sample = { at: noon + 100 * hourMs, impressions: null, engagements: 999 }
    await world.ledger.recordSamples([{ postId: post.id, sample }])
    const stretched = (await read())?.points ?? []
    assert.deepEqual(agesOf(stretched), [0, 230, 6000])
    assert.deepEqual(stretched.at(-1), { at: sample.at, engagements: 999 })
  },

  'actions come newest plan first, and are found by what they are': async (world) => {
    const ann = await world.account()
    const ben = await world.account({ platform: 'mastodon' })
    const post = await world.post(ann)
    const comment = await world.succeeded(post)
    world.clock.advance(1)
    const edit = await world.running(post, { action: 'edit', tier: 'tier_2' })
    const other = await world.plan(await world.post(ben))
    await world.settle(await world.begin(edit), success)
    world.clock.advance(1)
    const undo = toActionId(world.name('undo'))
    await world.ledger.planUndo({ actionId: undo, postId: post.id, undoes: edit.id })
    const read = async (filter: Parameters<typeof world.ledger.pageActions>[0], limit = 99) =>
      idsOf(await allOf((page) => world.ledger.pageActions(filter, page), limit))
    const all = [undo, other.id, edit.id, comment.id]
    for (const limit of [1, 2, 4]) assert.deepEqual(await read({}, limit), all)
    const own = [undo, edit.id, comment.id]
    assert.deepEqual(await read({ accountId: ann.id }, 2), own)
    assert.deepEqual(await read({ accountIds: [ben.id, ann.id] }, 1), all)
    assert.deepEqual(await read({ accountIds: [] }), [])
    assert.deepEqual(await read({ postId: post.id }), own)
    assert.deepEqual(await read({ postId: post.id, accountIds: [ben.id] }), [])
    assert.deepEqual(await read({ states: ['planned', 'approved'] }), [undo, other.id])
    assert.deepEqual(await read({ states: ['approved'], accountId: ben.id }), [])
    assert.deepEqual(await read({ states: ['success'] }), [edit.id, comment.id])
    assert.deepEqual(await read({ action: 'edit' }), [undo, edit.id])
    assert.deepEqual(await read({ action: 'edit', undoes: null }), [edit.id])
    assert.deepEqual(await read({ undoes: edit.id }), [undo])
    assert.deepEqual(await read({ undoes: toActionId('nothing') }), [])
    assert.deepEqual(await read({ platform: 'mastodon' }), [other.id])
    const { items } = await world.ledger.pageActions({}, { before: null, limit: 1 })
    assert.deepEqual(items, [await world.row({ id: undo })])
  },

  'events come newest first, by account, post and action': async (world) => {
    const ann = await world.account()
    const ben = await world.account()
    const post = await world.post(ann)
    const action = await world.succeeded(post)
    await world.succeeded(await world.post(ann))
    await world.succeeded(await world.post(ben))
    await world.ledger.pause({ scope: 'everything', target: '', until: null, reason: '', by: 'a' })
    const { events } = await world.ledger.readEvents(null, {}, 999)
    const newest = events.toReversed()
    type Filter = Parameters<typeof world.ledger.pageEvents>[0]
    const read = (filter: Filter, limit = 99) =>
      allOf((page) => world.ledger.pageEvents(filter, page), limit)
    for (const limit of [1, 4, 99]) assert.deepEqual(await read({}, limit), newest)
    const own = newest.filter(({ accountId }) => accountId === ann.id)
    assert.deepEqual(await read({ accountId: ann.id }, 3), own)
    const accountIds = [ben.id, ann.id]
    const both = newest.filter(({ accountId }) => accountId !== null)
    assert.deepEqual(await read({ accountIds }, 3), both)
    assert.deepEqual(
      await read({ postId: post.id }, 3),
      newest.filter(({ postId }) => postId === post.id),
    )
    assert.deepEqual(
      await read({ actionId: action.id, types: ['action_changed'] }, 1),
      newest.filter((e) => e.actionId === action.id && e.type === 'action_changed'),
    )
    assert.deepEqual(await read({ actionId: action.id, accountIds: [ben.id] }), [])
    assert.deepEqual(await read({ actionId: toActionId('nothing') }), [])
    assert.deepEqual(await read({ postId: toPostId('nowhere') }), [])
    const followed = await world.ledger.readEvents(null, { accountIds }, 999)
    assert.deepEqual(followed.events, both.toReversed())
    const one = { accountId: ann.id, accountIds: [ben.id] }
    assert.deepEqual((await world.ledger.readEvents(null, one, 9)).events, [])
  },

  'policies are listed by their ids': async (world) => {
    await world.account()
    const { id } = (await world.ledger.listPolicies())[0] ?? { id: '' }
    assert.deepEqual([id, (await world.ledger.listPolicies()).length], ['conformance@1', 1])
  },
})
