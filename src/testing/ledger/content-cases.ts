/** What must be true of what a post says: it is the owner's, and may change at any time. */

import assert from 'node:assert/strict'
import { toPostId } from '../../core/ids.ts'
import { casesOf } from './case.ts'
import { refused, success } from './world.ts'

const seen = { text: 'The owner knows better.', contentVersion: 'v2' }

export const contentCases = casesOf('what a post says', {
  'is taken over from the network': async (world) => {
    const post = await world.post()
    const changed = { ...post, ...seen }
    assert.deepEqual(await world.ledger.recordContent(post.id, seen), changed)
    await world.harness.reopen()
    assert.deepEqual(await world.ledger.getPost(post.id), changed)
  },

  'stays where the network does not show it': async (world) => {
    const post = await world.post(undefined, { text: 'As it was.', contentVersion: 'v1' })
    const nothing = { text: null, contentVersion: null }
    assert.deepEqual(await world.ledger.recordContent(post.id, nothing), post)
    assert.deepEqual(await world.ledger.getPost(post.id), post)
  },

  'of a post that is not there is nothing': async (world) => {
    assert.equal(await world.ledger.recordContent(toPostId('nowhere'), seen), null)
  },

  'stays while an edit is open, which was written for it': async (world) => {
    const post = await world.post(undefined, { text: 'As it was.', contentVersion: 'v1' })
    const { attempt } = await world.sending(post, { action: 'edit' })
    assert.deepEqual((await world.ledger.recordContent(post.id, seen))?.text, 'As it was.')
    await world.settle(attempt, { kind: 'failed', fault: refused })
    assert.deepEqual((await world.ledger.recordContent(post.id, seen))?.text, seen.text)
  },

  'changes while a comment is open': async (world) => {
    const post = await world.post()
    const { attempt } = await world.sending(post)
    assert.deepEqual((await world.ledger.recordContent(post.id, seen))?.text, seen.text)
    await world.settle(attempt, success)
    assert.deepEqual((await world.ledger.getPost(post.id))?.text, seen.text)
  },

  'does not come back after its account was erased': async (world) => {
    const post = await world.post()
    await world.ledger.eraseAccount(post.accountId)
    await world.ledger.recordContent(post.id, seen)
    assert.equal((await world.ledger.getPost(post.id))?.text, null)
  },
})
