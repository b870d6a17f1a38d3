/** What must be true of comments and threads: where they hang, in which order, who sees them. */

import assert from 'node:assert/strict'
import type { Action } from '../../core/action.ts'
import type { Landed } from '../../platform/platform.ts'
import { casesOf } from './case.ts'
import type { CasesFor, Plays } from './case.ts'
import type { World, Write } from './world.ts'

export const replyCases: CasesFor = (suite) => {
  const { comment, thread } = suite.description.actions
  const isAtomic = suite.description.threadIsAtomic
  const isRead = (['comment', 'thread'] as const).filter((action) => {
    const ability = suite.description.actions[action]
    return ability.supported && ability.writeClass !== 'C'
  })
  return [
    ...casesOf(suite, 'comment', comment.supported && suite.canLimit ? limiting('comment') : {}),
    ...casesOf(suite, 'thread', thread.supported && suite.canLimit ? limiting('thread') : {}),
    ...isRead.flatMap((action) => casesOf(suite, action, listing(action))),
    ...casesOf(suite, 'thread', thread.supported ? ordering : {}),
    ...casesOf(suite, 'thread', thread.supported && !isAtomic ? continuing(suite) : {}),
  ]
}

const limiting = (action: Action): Plays => ({
  'is seen by no more people than the post': async (world) => {
    const post = await world.publish('few')
    await world.commit(await world.write(action, post))
    await world.settle()
    const [reply] = await world.harness.repliesTo(post)
    assert.equal(reply?.reach, 'few')
  },
})

const listing = (action: Action): Plays => ({
  'is among the account’s own replies to the post': async (world) => {
    const post = await world.publish()
    const before = world.harness.now()
    const landed = await world.commit(await world.write(action, post))
    await world.settle()
    const { ownReplies } = await world.live(post)
    assert.deepEqual(
      ownReplies.map(({ remoteId }) => remoteId),
      [landed.remoteId],
    )
    assert.ok((ownReplies[0]?.at ?? 0) >= before)
  },
})

const ordering: Plays = {
  'hangs each post below the one before, with its own text': async (world) => {
    const post = await world.publish()
    const texts = [world.text('First'), world.text('Second'), world.text('Third')]
    const { ids } = await sendThread(world, post, texts)
    await world.settle()
    assert.equal(ids.length, texts.length)
    let parent = post
    for (const [index, text] of texts.entries()) {
      const replies = await world.harness.repliesTo(parent)
      assert.deepEqual(
        replies.map((reply) => [reply.remoteId, reply.text]),
        [[ids[index], text]],
      )
      parent = ids[index] as string
    }
    assert.deepEqual(await world.harness.repliesTo(parent), [])
  },

  'is taken back as a whole, where that is offered': async (world) => {
    const post = await world.publish()
    const texts = [world.text('First'), world.text('Second')]
    const { ids, writes } = await sendThread(world, post, texts)
    await world.settle()
    if (!world.description.canUndo.thread) {
      assert.equal((await world.harness.repliesTo(post)).length, 1)
      return
    }
    for (const { write, landed } of writes.toReversed()) await world.undo(write, landed)
    await world.settle()
    for (const id of [post, ...ids]) assert.deepEqual(await world.harness.repliesTo(id), [])
  },
}

/** Where segments are sent one by one, a crash may come between any two. */
const continuing = (suite: { readonly description: World['description'] }): Plays => {
  const { thread } = suite.description.actions
  const isRead = thread.supported && thread.writeClass !== 'C'
  return {
    'finds the segment that is out, and not the one that is not': async (world) => {
      const post = await world.publish()
      const first = await world.write('thread', post)
      const landed = await world.commit(first)
      const part = { segment: 1, previous: [landed], key: first.request.key }
      const second = await world.ready(await world.request('thread', post, part))
      await world.settle()
      const kinds = [(await world.locate(first)).kind, (await world.locate(second)).kind]
      assert.deepEqual(kinds, isRead ? ['found', 'not_found'] : ['cannot_tell', 'cannot_tell'])
    },

    'fails, with nothing landed, where the segment before was removed': async (world) => {
      const post = await world.publish()
      const first = await world.write('thread', post)
      const landed = await world.commit(first)
      await world.settle()
      const part = { segment: 1, previous: [landed], key: first.request.key }
      const second = await world.ready(await world.request('thread', post, part))
      await world.harness.removeByHand(landed.remoteId)
      await world.settle()
      const fault = await world.faultOf(world.commit(second), 'write')
      assert.equal(fault.landed, 'no')
      assert.equal(await world.countVisible(second), 0)
    },
  }
}

interface SentThread {
  readonly ids: readonly string[]
  readonly writes: readonly { readonly write: Write; readonly landed: Landed }[]
}

/** As the engine does it: in one call where the network can, else segment by segment. */
async function sendThread(
  world: World,
  post: string,
  texts: readonly string[],
): Promise<SentThread> {
  const isAtomic = world.description.threadIsAtomic
  const writes: { write: Write; landed: Landed }[] = []
  for (const part of isAtomic ? [texts] : texts.map((text) => [text])) {
    const previous = writes.map(({ landed }) => landed)
    const key = writes[0]?.write.request.key
    const request = await world.request('thread', post, {
      texts: part,
      segment: previous.length,
      previous,
      ...(key === undefined ? {} : { key }),
    })
    const write = await world.ready(request)
    writes.push({ write, landed: await world.commit(write) })
  }
  return { ids: writes.flatMap(({ landed }) => landed.remoteIds), writes }
}
