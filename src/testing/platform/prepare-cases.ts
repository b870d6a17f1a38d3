/** What must be true of preparing: nothing is visible yet, and what cannot go is refused. */

import assert from 'node:assert/strict'
import { actions } from '../../core/action.ts'
import type { Action } from '../../core/action.ts'
import type { Preparation } from '../../platform/platform.ts'
import { casesOf } from './case.ts'
import type { CasesFor, Plays } from './case.ts'
import type { World } from './world.ts'

export const prepareCases: CasesFor = (suite) =>
  actions.flatMap((action) => {
    const ability = suite.description.actions[action]
    const subject = `prepare ${action}`
    if (!ability.supported) return casesOf(suite, subject, unsupported(action))
    const isRead = ability.writeClass !== 'C'
    return casesOf(suite, subject, {
      ...supported(action),
      ...(isRead ? withReading(action) : {}),
      ...(action === 'thread' ? threads : {}),
    })
  })

const unsupported = (action: Action): Plays => ({
  'refuses what the network cannot do': async (world) => {
    const post = await world.publish()
    const preparation = await world.prepare(await world.request(action, post))
    requireRefused(preparation, 'unsupported')
  },
})

const supported = (action: Action): Plays => ({
  'makes nothing visible, however often it is done': async (world) => {
    const post = await world.publish()
    const before = await world.look(post)
    const request = await world.request(action, post)
    await world.ready(request)
    await world.ready(request)
    await world.settle()
    assert.deepEqual(await world.harness.repliesTo(post), [])
    assert.deepEqual(await world.look(post), before)
  },

  'takes a text that is as long as the limit': async (world) => {
    const post = await world.publish()
    const text = textOfLength(world, world.description.length.maximum)
    await world.ready(await world.request(action, post, { texts: [text] }))
  },

  'refuses a longer one, and names the limit': async (world) => {
    const post = await world.publish()
    const { maximum } = world.description.length
    const texts = [textOfLength(world, maximum + 1)]
    const preparation = await world.prepare(await world.request(action, post, { texts }))
    const { detail } = requireRefused(preparation, 'invalid')
    assert.ok(detail.includes(String(maximum)), `${detail} does not name ${maximum}`)
  },

  'refuses a text without content': async (world) => {
    const post = await world.publish()
    const preparation = await world.prepare(await world.request(action, post, { texts: [' \n'] }))
    requireRefused(preparation, 'invalid')
  },
})

const withReading = (action: Action): Plays => ({
  'says so where the owner deleted the post': async (world) => {
    const post = await world.publish()
    await world.settle()
    const request = await world.request(action, post)
    await world.harness.removeByHand(post)
    await world.settle()
    const preparation = await world.prepare(request)
    assert.equal(preparation.kind, 'changed')
  },
})

const threads: Plays = {
  'refuses more posts than a thread may have': async (world) => {
    const post = await world.publish()
    const { threadMaximum, threadIsAtomic } = world.description
    const count = threadMaximum + 1
    const texts = threadIsAtomic ? Array.from({ length: count }, () => world.text()) : undefined
    const landed = { remoteId: post, url: null, remoteIds: [post] }
    const out = { ...landed, postRemoteId: null, contentVersion: null }
    const previous = threadIsAtomic ? [] : Array.from({ length: threadMaximum }, () => out)
    const request = await world.request('thread', post, {
      segment: previous.length,
      previous,
      ...(texts === undefined ? {} : { texts }),
    })
    requireRefused(await world.prepare(request), 'invalid')
  },
}

/** Plain letters, which every network counts as one each. */
function textOfLength({ description }: World, length: number): string {
  const text = 'a'.repeat(length)
  assert.equal(description.length.measure(text), length)
  return text
}

function requireRefused(preparation: Preparation, code: string) {
  assert.equal(preparation.kind, 'refused')
  const { fault } = preparation
  assert.deepEqual([fault.code, fault.landed], [code, 'no'])
  assert.notEqual(fault.detail.trim(), '')
  return fault
}
