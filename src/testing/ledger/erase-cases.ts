/** What must be true of erasing an account: texts and secrets go, keys and the chain stay. */

import assert from 'node:assert/strict'
import { toAccountId } from '../../core/ids.ts'
import type { AccountRow, PostRow } from '../../ledger/rows.ts'
import { casesOf } from './case.ts'
import { noon } from './harness.ts'
import { expectHeld, refused, success } from './world.ts'
import type { World } from './world.ts'

const secret = 'NEEDLE'

/** An account with something personal in every place that can hold it. */
async function personal(world: World): Promise<AccountRow> {
  const account = await world.account({
    mode: 'approve',
    handle: `@${secret}`,
    credentials: `sealed:${secret}`,
    profile: { name: secret },
  })
  const facts = { text: `Text ${secret}`, url: `https://network.example/${secret}` }
  const post = await world.post(account, { ...facts, nextCheckAt: noon })
  const action = await world.plan(post, { text: `Comment ${secret}` })
  const { textHash } = action
  const grace = { graceMs: 0, expiresAfterMs: 1000 }
  await world.decide(action, { kind: 'approve', textHash, ...grace })
  const prepared = { record: { text: `Comment ${secret}` } }
  const attempt = await world.begin(await world.claim(action), { prepared })
  await world.settle(attempt, {
    kind: 'success',
    remoteId: 'r-1',
    outcome: { said: `Comment ${secret}` },
  })
  const second = await world.plan(post, {
    action: 'edit',
    tier: 'tier_2',
    text: `Edit ${secret}`,
  })
  await world.decide(second, { kind: 'reject', reason: `Because ${secret}` })
  await world.look(post)
  await world.plan(await world.post(account), { text: `Open ${secret}` })
  const fault = { ...refused, detail: `The network said: ${secret}` }
  for (const kind of ['failed', 'waiting'] as const) {
    const row = await world.plan(await world.post(account))
    await world.decide(row, { kind: 'approve', textHash: row.textHash, ...grace })
    const sent = await world.begin(await world.claim(row))
    await world.settle(sent, kind === 'failed' ? { kind, fault } : { kind, fault, retryAt: noon })
  }
  const pause = { scope: 'account', target: account.id, until: null, by: 'anna' } as const
  await world.ledger.pause({ ...pause, reason: `Because ${secret}` })
  return account
}

/** All that the port shows of an account. */
async function everything(world: World, { id }: AccountRow): Promise<string> {
  const { ledger } = world
  const page = { after: null, limit: 99 }
  const posts = await ledger.listPosts({ accountId: id }, page)
  const actions = await ledger.listActions({ accountId: id }, page)
  const parts: unknown[] = [await ledger.getAccount(id), posts, actions]
  for (const action of actions) {
    parts.push(await ledger.listAttempts(action.id), await ledger.listApprovals(action.id))
  }
  for (const post of posts) {
    parts.push(await ledger.listVerdicts(post.id, 9), await ledger.listMeasurements(post.id))
  }
  parts.push(await ledger.listRecentTexts(id, 99), await ledger.exportClassic(id))
  parts.push((await ledger.readEvents(null, {}, 999)).events, await ledger.listPauses())
  return JSON.stringify(parts)
}

export const eraseCases = casesOf('erasing an account', {
  'leaves no text and no secret behind': async (world) => {
    const account = await personal(world)
    assert.ok((await everything(world, account)).includes(secret))
    await world.ledger.eraseAccount(account.id)
    assert.ok(!(await everything(world, account)).includes(secret))
    await world.harness.reopen()
    assert.ok(!(await everything(world, account)).includes(secret))
    const stored = await world.ledger.getAccount(account.id)
    const erased = { handle: '', credentials: null, profile: null, status: 'erased' } as const
    assert.deepEqual(stored, { ...account, ...erased })
  },

  'keeps rows, keys and hashes, and changes nothing else of them': async (world) => {
    const account = await personal(world)
    const page = { after: null, limit: 99 }
    const before = await world.ledger.listActions({ accountId: account.id }, page)
    await world.ledger.eraseAccount(account.id)
    const after = await world.ledger.listActions({ accountId: account.id }, page)
    assert.equal(after.length, before.length)
    for (const [index, row] of before.entries()) {
      const fault = row.fault === null ? null : { ...row.fault, detail: '' }
      assert.deepEqual(after[index], { ...row, text: null, outcome: null, fault })
    }
    const posts = await world.ledger.listPosts({ accountId: account.id }, page)
    for (const post of posts) {
      assert.deepEqual([post.text, post.url, post.status], [null, null, 'closed'])
      assert.equal(post.nextCheckAt, null)
    }
  },

  'closes what was watched, and leaves what was over as it was': async (world) => {
    const account = await world.account()
    const watched = await world.post(account, { nextCheckAt: noon })
    const [closed, gone] = [await world.post(account), await world.post(account)]
    await world.ledger.closePost(closed.id, 'closed')
    await world.ledger.closePost(gone.id, 'gone')
    const never = world.newPost(account, { status: 'closed' })
    await world.ledger.trackPosts([never])
    world.clock.advance(9)
    await world.ledger.eraseAccount(account.id)
    const read = async ({ id }: PostRow) => {
      const { text, url, status, nextCheckAt, closedAt } = (await world.ledger.getPost(id)) ?? never
      return { text, url, status, nextCheckAt, closedAt }
    }
    const bare = { text: null, url: null, nextCheckAt: null }
    assert.deepEqual(await read(watched), { ...bare, status: 'closed', closedAt: noon + 9 })
    assert.deepEqual(await read(closed), { ...bare, status: 'closed', closedAt: noon })
    assert.deepEqual(await read(gone), { ...bare, status: 'gone', closedAt: noon })
    assert.deepEqual(await read(never), { ...bare, status: 'closed', closedAt: noon + 9 })
  },

  'leaves the chain of events whole, and says so in it': async (world) => {
    const account = await personal(world)
    await world.ledger.seal(999)
    const sealed = await world.ledger.verifyAudit()
    await world.ledger.eraseAccount(account.id)
    const report = await world.ledger.verifyAudit()
    assert.deepEqual(report, { ...sealed, unsealed: 1 })
    assert.deepEqual(report.problems, [])
    const { events } = await world.ledger.readEvents(null, { types: ['account_erased'] }, 9)
    assert.deepEqual(
      events.map(({ accountId, data }) => [accountId, data]),
      [[account.id, {}]],
    )
  },

  'stops what is still planned': async (world) => {
    const account = await world.account()
    const action = await world.plan(await world.post(account))
    await world.ledger.eraseAccount(account.id)
    const result = await world.tryClaim(action)
    assert.equal(result.kind, 'ended')
    const open = await world.account()
    const running = await world.running(await world.post(open))
    await world.ledger.eraseAccount(open.id)
    expectHeld(await world.ledger.beginAttempt(world.attemptCommand(running)), 'account_parked')
  },

  'a send that is under way can still be settled, and ended rows stay ended': async (world) => {
    const account = await world.account()
    const post = await world.post(account)
    const { attempt } = await world.sending(post)
    const edit = await world.sending(await world.post(account), { action: 'edit', tier: 'tier_2' })
    const lost = await world.unknown(await world.post(account))
    await world.ledger.eraseAccount(account.id)
    const failed = await world.settle(attempt, { kind: 'failed', fault: refused })
    assert.deepEqual([failed.state, failed.text], ['failed', null])
    assert.deepEqual(failed.fault, { ...refused, detail: '' })
    const postContent = { remoteId: 'r-2', contentVersion: 'v2', text: 'Back again.' }
    const done = await world.settle(edit.attempt, { ...success, postContent })
    assert.equal(done.outcome, null)
    assert.equal((await world.ledger.getPost(done.postId))?.text, null)
    const unknown = await world.row(lost.action)
    const found = { kind: 'landed', remoteId: 'r', outcome: { said: 'Back again.' } } as const
    assert.equal((await world.reconcile(unknown, found)).outcome, null)
    await world.ledger.eraseAccount(account.id)
    await world.unchanged(failed)
  },

  'concerns no other account, and none that is not there': async (world) => {
    const account = await personal(world)
    const before = await everything(world, account)
    await world.ledger.eraseAccount(toAccountId('nobody'))
    assert.equal(await everything(world, account), before)
    const other = await world.account()
    await world.ledger.eraseAccount(other.id)
    assert.ok((await everything(world, account)).includes(secret))
  },
})
