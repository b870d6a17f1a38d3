/** What must be true of edits: the owner's word counts more, and nothing else is touched. */

import assert from 'node:assert/strict'
import { casesOf } from './case.ts'
import type { CasesFor, Plays } from './case.ts'

export const editCases: CasesFor = (suite) => [
  ...casesOf(suite, 'edit', suite.description.actions.edit.supported ? editing : {}),
  ...casesOf(suite, 'edit', suite.description.canUndo.edit ? undoing : {}),
]

const editing: Plays = {
  'changes the text and keeps all else': async (world) => {
    const post = await world.publish()
    const before = await world.look(post)
    const write = await world.write('edit', post)
    const landed = await world.commit(write)
    await world.settle()
    const after = await world.look(landed.postRemoteId ?? post)
    assert.equal(after.text, write.request.texts[0])
    assert.deepEqual(after.rest, before.rest)
  },

  'leaves the counters as they are': async (world) => {
    const post = await world.publish()
    await world.harness.like(post, 1000)
    const landed = await world.commit(await world.write('edit', post))
    await world.settle()
    const { sample } = await world.live(landed.postRemoteId ?? post)
    assert.ok(sample.engagements >= 1000)
  },

  'is not prepared where the owner changed the post': async (world) => {
    const post = await world.publish()
    await world.settle()
    const request = await world.request('edit', post)
    await world.harness.editByHand(post, world.text('The owner’s'))
    await world.settle()
    assert.equal((await world.prepare(request)).kind, 'changed')
  },

  'is not sent where the owner changed the post since': async (world) => {
    const post = await world.publish()
    await world.settle()
    const write = await world.write('edit', post)
    const text = world.text('The owner’s')
    await world.harness.editByHand(post, text)
    await world.settle()
    const fault = await world.faultOf(world.commit(write), 'write')
    assert.equal(fault.landed, 'no')
    assert.equal((await world.look(post)).text, text)
  },

  'is not called missing where the owner wrote over it': async (world) => {
    const post = await world.publish()
    const write = await world.write('edit', post)
    await world.commit(write)
    await world.settle()
    await world.harness.editByHand(post, world.text('The owner’s'))
    await world.settle()
    assert.notEqual((await world.locate(write)).kind, 'not_found')
  },
}

const undoing: Plays = {
  'is not taken back over what the owner wrote since': async (world) => {
    const post = await world.publish()
    const write = await world.write('edit', post)
    const landed = await world.commit(write)
    await world.settle()
    const text = world.text('The owner’s')
    await world.harness.editByHand(post, text)
    await world.settle()
    // Whether it fails or does nothing is the connector's choice.
    await world.undo(write, landed).catch(() => null)
    await world.settle()
    assert.equal((await world.look(landed.postRemoteId ?? post)).text, text)
  },
}
