/** What must be true of policies, accounts, posts and settings: kept as given, listed in pages. */

import assert from 'node:assert/strict'
import { hourMs } from '../../core/duration.ts'
import { toAccountId, toActionId, toPostId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { classicPolicy } from '../../core/policies/classic.ts'
import { LedgerError } from '../../ledger/ledger-error.ts'
import type { AccountRow, PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { policyWith } from './policies.ts'
import type { World } from './world.ts'

const isConflict = (error: unknown) => error instanceof LedgerError && error.kind === 'conflict'

async function allPages(world: World, accountId: AccountRow['id'], limit: number) {
  const pages: (readonly PostRow[])[] = []
  while (pages.length < 99) {
    const after = pages.at(-1)?.at(-1)?.id ?? null
    const page = await world.ledger.listPosts({ accountId }, { after, limit })
    if (page.length === 0) return pages
    pages.push(page)
  }
  throw new Error('the pages never end')
}

export const recordCases = casesOf('records', {
  'a policy is kept under its name and version': async (world) => {
    await world.ledger.savePolicy(classicPolicy)
    await world.ledger.savePolicy(world.policy)
    await world.ledger.savePolicy(structuredClone(world.policy))
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.getPolicy('classic@1'), classicPolicy)
    assert.deepEqual(await world.ledger.getPolicy('conformance@1'), world.policy)
    assert.equal(await world.ledger.getPolicy('conformance@2'), null)
  },

  'a policy’s version never stands for other values': async (world) => {
    await world.ledger.savePolicy(world.policy)
    const other = policyWith(1, { guard: 'lifetime_maximum', maximum: 9 })
    await assert.rejects(world.ledger.savePolicy(other), isConflict)
    assert.deepEqual(await world.ledger.getPolicy('conformance@1'), world.policy)
  },

  'an account is kept, replaced and listed in the order of ids': async (world) => {
    const second = await world.account({ id: toAccountId('b') })
    const first = await world.account({ id: toAccountId('a'), holdoutShare: 0.15 })
    const third = await world.account({ id: toAccountId('Z'), credentials: null })
    assert.deepEqual(await world.ledger.listAccounts(), [third, first, second])
    const changed: AccountRow = { ...second, mode: 'watch', timeZone: 'Asia/Kolkata' }
    await world.ledger.saveAccount(changed)
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.getAccount(second.id), changed)
    assert.equal(await world.ledger.getAccount(toAccountId('nobody')), null)
  },

  'an account needs a policy that is stored': async (world) => {
    const account = await world.account()
    await assert.rejects(
      world.ledger.saveAccount({ ...account, policy: 'nothing@1' }),
      (error) => error instanceof InputError && error.field === 'account.policy',
    )
    assert.deepEqual(await world.ledger.getAccount(account.id), account)
  },

  'an account whose credentials died is parked until it is saved again': async (world) => {
    const account = await world.account()
    await world.ledger.parkAccount(account.id, 'credentials', 'The login is not valid any more.')
    const parked = { status: 'parked', statusReason: 'The login is not valid any more.' } as const
    assert.deepEqual(await world.ledger.getAccount(account.id), { ...account, ...parked })
    await world.ledger.parkAccount(account.id, 'credentials', 'Again.')
    const { events } = await world.ledger.readEvents(null, { types: ['account_parked'] }, 9)
    assert.deepEqual(
      events.map(({ accountId, data }) => [accountId, data]),
      [[account.id, { code: 'credentials' }]],
    )
    const nobody = world.ledger.parkAccount(toAccountId('nobody'), 'credentials', 'gone')
    await assert.rejects(nobody, InputError)
  },

  'when a timeline is read next is kept': async (world) => {
    const account = await world.account()
    await world.ledger.setDiscoverAt(account.id, noon + hourMs)
    const stored = await world.ledger.getAccount(account.id)
    assert.deepEqual(stored, { ...account, discoverAt: noon + hourMs })
    await world.ledger.setDiscoverAt(account.id, null)
    assert.deepEqual(await world.ledger.getAccount(account.id), account)
    await world.ledger.setDiscoverAt(toAccountId('nobody'), noon)
  },

  'a post is tracked once, by its account and remote id': async (world) => {
    const account = await world.account()
    const other = await world.account()
    const post = world.newPost(account, { publishedAt: noon + 0.125, arm: null })
    const again = { ...post, id: toPostId('elsewhere'), text: 'Changed.' }
    const same = { ...post, id: toPostId('other'), accountId: other.id }
    const stored = await world.ledger.trackPosts([post, again, same])
    assert.deepEqual(stored, [post, post, same])
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.trackPosts([again]), [post])
    assert.deepEqual(await world.ledger.getPost(post.id), post)
    assert.equal(await world.ledger.getPost(again.id), null)
    const { events } = await world.ledger.readEvents(null, { types: ['post_tracked'] }, 9)
    assert.deepEqual(
      events.map(({ postId, data }) => [postId, data]),
      [
        [post.id, { publishedAt: post.publishedAt }],
        [same.id, { publishedAt: post.publishedAt }],
      ],
    )
  },

  'a batch of posts with one that cannot be tracked leaves none behind': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const fresh = world.newPost(account)
    const taken = { ...world.newPost(account), id: post.id }
    await assert.rejects(world.ledger.trackPosts([fresh, taken]), isConflict)
    const orphan = { ...world.newPost(account), accountId: toAccountId('nobody') }
    await assert.rejects(world.ledger.trackPosts([fresh, orphan]), isConflict)
    assert.equal(await world.ledger.getPost(fresh.id), null)
    assert.deepEqual(await world.ledger.getPost(post.id), post)
  },

  'posts are listed in pages, none twice and none left out': async (world) => {
    const account = await world.account()
    const ids = ['a', 'B', 'b', 'ä', 'a-1', 'a_1', 'aa', '10', '9', '👋', 'z'].map((id) =>
      toPostId(id),
    )
    await world.ledger.trackPosts(ids.map((id) => world.newPost(account, { id, remoteId: id })))
    await world.post()
    const pages = await allPages(world, account.id, 3)
    assert.deepEqual(
      pages.map((page) => page.length),
      [3, 3, 3, 2],
    )
    const listed = pages.flat().map(({ id }) => id)
    assert.deepEqual(listed, ids.toSorted())
  },

  'posts are listed by account and by status': async (world) => {
    const account = await world.account()
    const [one, two] = [await world.post(account), await world.post(account)]
    await world.post()
    await world.ledger.closePost(two.id, 'gone')
    const page = { after: null, limit: 9 }
    const idsOf = async (filter: Parameters<typeof world.ledger.listPosts>[0]) =>
      (await world.ledger.listPosts(filter, page)).map(({ id }) => id)
    assert.deepEqual(await idsOf({ accountId: account.id, status: 'watched' }), [one.id])
    assert.deepEqual(await idsOf({ status: 'gone' }), [two.id])
    assert.equal((await idsOf({})).length, 3)
  },

  'actions are listed by account, post and state, in pages': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const done = await world.succeeded(post)
    const open = await world.plan(post, { action: 'edit', tier: 'tier_2' })
    const other = await world.plan(await world.post(account))
    const foreign = await world.plan(await world.post())
    const idsOf = async (filter: Parameters<typeof world.ledger.listActions>[0], limit = 9) =>
      (await world.ledger.listActions(filter, { after: null, limit })).map(({ id }) => id)
    const all = [done.id, open.id, other.id, foreign.id]
    assert.deepEqual(await idsOf({}), all)
    assert.deepEqual(await idsOf({ accountId: account.id }), all.slice(0, 3))
    assert.deepEqual(await idsOf({ postId: post.id }), all.slice(0, 2))
    assert.deepEqual(await idsOf({ states: ['success', 'running'] }), [done.id])
    assert.deepEqual(await idsOf({ postId: post.id, states: ['planned'] }), [open.id])
    assert.deepEqual(await idsOf({ states: [] }), [])
    assert.deepEqual(await idsOf({}, 2), all.slice(0, 2))
    const rest = await world.ledger.listActions({}, { after: open.id, limit: 9 })
    assert.deepEqual(rest, [await world.row(other), await world.row(foreign)])
  },

  'the owner’s word on a post is kept and said once': async (world) => {
    const post = await world.post()
    const on = await world.ledger.setNeverTouch(post.id, true)
    assert.deepEqual(on, { ...post, neverTouch: true })
    assert.deepEqual(await world.ledger.setNeverTouch(post.id, true), on)
    assert.deepEqual(await world.ledger.setNeverTouch(post.id, false), post)
    const { events } = await world.ledger.readEvents(null, { types: ['never_touch'] }, 9)
    assert.deepEqual(
      events.map(({ data }) => data),
      [{ on: true }, { on: false }],
    )
  },

  'a post that closes is not looked at again': async (world) => {
    const post = await world.post(await world.account(), { nextCheckAt: noon })
    const closed = await world.ledger.closePost(post.id, 'closed')
    const status = { status: 'closed', nextCheckAt: null, closedAt: noon } as const
    assert.deepEqual(closed, { ...post, ...status })
    world.clock.advance(1)
    const gone = await world.ledger.closePost(post.id, 'gone')
    assert.deepEqual(gone, { ...closed, status: 'gone' })
    await world.ledger.setNextCheckAt([post.id], noon)
    assert.deepEqual(await world.ledger.getPost(post.id), gone)
    assert.deepEqual(await world.ledger.due('check', 9), [])
  },

  'many posts are read in the order they are asked for': async (world) => {
    const [one, two] = [await world.post(), await world.post()]
    const ids = [two.id, toPostId('nobody'), one.id]
    assert.deepEqual(await world.ledger.getPosts(ids), [two, null, one])
    assert.deepEqual(await world.ledger.getPosts([]), [])
  },

  'the next look at many posts is put off together': async (world) => {
    const account = await world.account()
    const posts = [await world.post(account), await world.post(account), await world.post(account)]
    const [one, two, three] = posts.map(({ id }) => id) as [PostRow['id'], PostRow['id'], string]
    await world.ledger.setNextCheckAt([one, two, toPostId('nowhere')], noon + 7)
    world.clock.advance(7)
    assert.deepEqual(await world.ledger.due('check', 9), [one, two])
    assert.equal((await world.ledger.getPost(toPostId(three)))?.nextCheckAt, null)
  },

  'what is not there is null, an empty list or nothing': async (world) => {
    const { ledger } = world
    const [post, action] = [toPostId('nowhere'), toActionId('nothing')]
    assert.equal(await ledger.getPost(post), null)
    assert.equal(await ledger.getAction(action), null)
    assert.equal(await ledger.setNeverTouch(post, true), null)
    assert.equal(await ledger.closePost(post, 'closed'), null)
    const { capabilities } = world.planCommand(world.newPost(await world.account()))
    assert.equal(await ledger.decisionInput(post, world.policy, capabilities), null)
    const lists = [
      await ledger.listSamples(post),
      await ledger.listVerdicts(post, 9),
      await ledger.listMeasurements(post),
      await ledger.listAttempts(action),
      await ledger.listApprovals(action),
      await ledger.listActions({ postId: post }, { after: null, limit: 9 }),
      await ledger.listRecentTexts(toAccountId('nobody'), 9),
    ]
    for (const list of lists) assert.deepEqual(list, [])
  },

  'a setting is settled by whoever comes first': async (world) => {
    assert.equal(await world.ledger.getSetting('salt'), null)
    assert.equal(await world.ledger.settleSetting('salt', 'first'), 'first')
    assert.equal(await world.ledger.settleSetting('salt', 'second'), 'first')
    await world.harness.reopen()
    assert.equal(await world.ledger.getSetting('salt'), 'first')
  },

  'the texts of an account’s latest plans come newest first': async (world) => {
    const account = await world.account()
    for (const text of ['One.', 'Two.', 'Three.']) {
      await world.plan(await world.post(account), { text })
      world.clock.advance(1)
    }
    await world.plan(await world.post(), { text: 'Of another account.' })
    assert.deepEqual(await world.ledger.listRecentTexts(account.id, 2), ['Three.', 'Two.'])
  },
})
