/** What must be true of texts that not every store can keep: the same comes back from all. */

import assert from 'node:assert/strict'
import { InputError } from '../../core/input-error.ts'
import { casesOf } from './case.ts'
import { refused, timedOut } from './world.ts'

/** NUL has no place in a text of Postgres; half a surrogate pair has no UTF-8 form. */
const broken = 'a\0b\ud800c\udc00 👋'
const kept = 'ab\ufffdc\ufffd 👋'

export const textCases = casesOf('texts', {
  'of a network are kept without what no store can keep': async (world) => {
    const account = await world.account()
    const post = world.newPost(account, {
      text: broken,
      url: broken,
      contentVersion: broken,
      remoteId: broken,
    })
    const whole = { ...post, text: kept, url: kept, contentVersion: kept, remoteId: kept }
    assert.deepEqual(await world.ledger.trackPosts([post]), [whole])
    assert.deepEqual(await world.ledger.trackPosts([post]), [whole], 'and found again')
    const reply = { postId: post.id, remoteId: broken, at: 1 }
    await world.ledger.recordOwnReplies([reply, reply])
    await world.ledger.setProfile(account.id, broken, { said: broken })
    await world.ledger.parkAccount(account.id, 'credentials', broken)
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.getPost(post.id), whole)
    assert.deepEqual(await world.ledger.getAccount(account.id), {
      ...account,
      handle: kept,
      // JSON has a way to write every character.
      profile: { said: broken },
      status: 'parked',
      statusReason: kept,
    })
  },

  'of an answer to a send are kept so too, and nothing gets stuck': async (world) => {
    const post = await world.post()
    const { attempt } = await world.sending(post, { action: 'edit', tier: 'tier_2' })
    const postContent = { remoteId: broken, contentVersion: broken, text: broken }
    const outcome = { said: broken }
    await world.settle(attempt, { kind: 'success', remoteId: broken, outcome, postContent })
    const content = { remoteId: kept, contentVersion: kept, text: kept }
    const stored = await world.ledger.getPost(post.id)
    assert.deepEqual(stored, { ...stored, ...content })
    assert.equal((await world.attempt(attempt)).remoteId, kept)
    assert.deepEqual((await world.row({ id: attempt.actionId })).outcome, outcome)

    const failing = await world.sending()
    const fault = { ...refused, detail: broken }
    const failed = await world.settle(failing.attempt, { kind: 'failed', fault })
    assert.equal(failed.fault?.detail, kept)
    assert.equal((await world.row(failed)).fault?.detail, kept)

    const { action, attempt: lost } = await world.unknown()
    await world.reconcile(action, { kind: 'landed', remoteId: broken, outcome: null })
    assert.equal((await world.attempt(lost)).remoteId, kept)
  },

  'of a fault do not keep an account from being erased': async (world) => {
    const account = await world.account()
    const { attempt } = await world.sending(await world.post(account))
    const fault = { ...timedOut, detail: broken }
    await world.settle(attempt, { kind: 'unknown', fault, reconcileAt: 0 })
    await world.ledger.eraseAccount(account.id)
    assert.equal((await world.attempt(attempt)).fault?.detail, '')
  },

  'of people are refused by the field’s name instead': async (world) => {
    const action = await world.plan(await world.post())
    const isInput = (field: string) => (error: unknown) =>
      error instanceof InputError && error.field === field
    const decision = { kind: 'cancel', reason: 'no' } as const
    const { ledger } = world
    const decide = ledger.decide({ actionId: action.id, by: 'a\0b', decision })
    await assert.rejects(decide, isInput('by'))
    const pause = { scope: 'everything', target: '', until: null, by: 'anna' } as const
    await assert.rejects(ledger.pause({ ...pause, reason: '\ud800' }), isInput('reason'))
    await assert.rejects(ledger.settleSetting('name', '\0'), isInput('value'))
  },
})
