/** What must be true of every write, whatever it does: once, exactly, found again, taken back. */

import assert from 'node:assert/strict'
import { actions } from '../../core/action.ts'
import type { Action } from '../../core/action.ts'
import type { WriteClass } from '../../core/capabilities.ts'
import { casesOf } from './case.ts'
import type { CasesFor, Plays } from './case.ts'

export const writeCases: CasesFor = (suite) =>
  actions.flatMap((action) => {
    const ability = suite.description.actions[action]
    if (!ability.supported) return []
    const plays: Plays = {
      ...committing(action),
      ...locating(action, ability.writeClass),
      ...(ability.writeClass === 'A' ? deduplicating(action) : {}),
      ...(suite.description.canUndo[action] ? undoing(action) : {}),
    }
    return casesOf(suite, `write ${action}`, plays)
  })

const committing = (action: Action): Plays => ({
  'has exactly one visible effect, on the post that was meant': async (world) => {
    const [other, meant] = [await world.publish(), await world.publish()]
    const before = await world.look(other)
    const write = await world.write(action, meant)
    await world.commit(write)
    await world.settle()
    assert.equal(await world.countVisible(write), 1)
    assert.deepEqual(await world.harness.repliesTo(other), [])
    assert.deepEqual(await world.look(other), before)
    const replies = await world.harness.repliesTo(meant)
    assert.equal(replies.length, action === 'edit' ? 0 : 1)
  },

  'says what became visible': async (world) => {
    const post = await world.publish()
    const write = await world.write(action, post)
    const landed = await world.commit(write)
    await world.settle()
    const { texts } = write.request
    assert.equal(landed.remoteIds.length, texts.length)
    assert.equal(landed.remoteIds[0], landed.remoteId)
    if (action === 'edit') {
      assert.equal((await world.look(landed.postRemoteId ?? post)).text, texts[0])
      return
    }
    assert.equal(landed.postRemoteId, null)
    const [reply] = await world.harness.repliesTo(post)
    assert.deepEqual([reply?.remoteId, reply?.text], [landed.remoteId, texts[0]])
  },

  'fails, and says that nothing landed, where the post is gone': async (world) => {
    const post = await world.publish()
    const write = await world.write(action, post)
    await world.harness.removeByHand(post)
    await world.settle()
    const fault = await world.faultOf(world.commit(write), 'write')
    assert.equal(fault.landed, 'no')
    assert.deepEqual(await world.harness.repliesTo(post), [])
  },
})

const locating = (action: Action, writeClass: WriteClass): Plays => ({
  [writeClass === 'C' ? 'never claims to know whether it landed' : 'is found once it is visible']:
    async (world) => {
      const write = await world.write(action, await world.publish())
      const landed = await world.commit(write)
      await world.settle()
      const location = await world.locate(write)
      if (writeClass === 'C') assert.equal(location.kind, 'cannot_tell')
      else assert.deepEqual(location, { kind: 'found', landed })
    },

  'is not found where it was never sent': async (world) => {
    const post = await world.publish()
    const write = await world.write(action, post)
    await world.harness.replyByHand(post, world.text('By hand'))
    await world.settle()
    const location = await world.locate(write)
    assert.equal(location.kind, writeClass === 'C' ? 'cannot_tell' : 'not_found')
  },

  'is not mistaken for a write on another post': async (world) => {
    const [other, post] = [await world.publish(), await world.publish()]
    const first = await world.write(action, other)
    const { texts } = first.request
    const second = await world.ready(await world.request(action, post, { texts }))
    await world.commit(first)
    await world.settle()
    assert.notEqual((await world.locate(second)).kind, 'found')
  },
})

const deduplicating = (action: Action): Plays => ({
  'sent twice, it is there once': async (world) => {
    const write = await world.write(action, await world.publish())
    const landed = await world.commit(write)
    // A network may call a repeat an error; what counts is what can be seen.
    await world.commit(write).catch(() => null)
    await world.settle()
    assert.equal(await world.countVisible(write), 1)
    assert.deepEqual(await world.locate(write), { kind: 'found', landed })
  },

  'sent twice at the same time, it is there once': async (world) => {
    const write = await world.write(action, await world.publish())
    await Promise.allSettled([world.commit(write), world.commit(write)])
    await world.settle()
    assert.equal(await world.countVisible(write), 1)
  },
})

const undoing = (action: Action): Plays => ({
  'is gone when it was taken back, and nothing else is': async (world) => {
    const post = await world.publish()
    const before = await world.look(post)
    const mine = await world.harness.replyByHand(post, world.text('By hand'))
    const write = await world.write(action, post)
    const landed = await world.commit(write)
    await world.settle()
    await world.undo(write, landed)
    await world.settle()
    assert.deepEqual(await world.look(post), before)
    const replies = await world.harness.repliesTo(post)
    assert.deepEqual(
      replies.map(({ remoteId }) => remoteId),
      [mine],
    )
    for (const id of action === 'edit' ? [] : landed.remoteIds) {
      assert.deepEqual(await world.harness.repliesTo(id), [])
    }
  },
})
