/** What must be true of reading: own posts, and counters as the network gives them. */

import assert from 'node:assert/strict'
import { actions } from '../../core/action.ts'
import { minuteMs } from '../../core/duration.ts'
import { Secret } from '../../core/secret.ts'
import type { Description } from '../../platform/platform.ts'
import { casesOf } from './case.ts'
import type { CasesFor, Plays } from './case.ts'
import { requireWithout } from './world.ts'

export const readCases: CasesFor = (suite) => [
  ...casesOf(suite, 'discover', discovering),
  ...casesOf(suite, 'observe', observing),
  ...casesOf(suite, 'observe', canReadBack(suite.description) ? readingBack : {}),
  ...casesOf(suite, 'observe', suite.description.actions.edit.supported ? editing : {}),
  ...casesOf(suite, 'observe', suite.asksCredentials ? signingIn : {}),
  ...casesOf(suite, 'observe', suite.canRestrict ? restricting : {}),
]

/** Where a write can be found again, posts and replies can be read. */
function canReadBack(description: Description): boolean {
  return actions.some((action) => {
    const ability = description.actions[action]
    return ability.supported && ability.writeClass !== 'C'
  })
}

const discovering: Plays = {
  'finds the account’s posts since a time, the newest first': async (world) => {
    await world.publish()
    await world.harness.pass(minuteMs)
    const since = world.harness.now()
    const first = await world.publish()
    await world.harness.pass(minuteMs)
    const second = await world.publish()
    await world.settle()
    const posts = await world.platform.discover({ ...world.options, since })
    assert.deepEqual(
      posts.map(({ remoteId }) => remoteId),
      [second, first],
    )
    assert.equal(posts[1]?.text, (await world.look(first)).text)
    assert.ok((posts[1]?.publishedAt ?? 0) >= since)
  },

  'does not take replies for posts': async (world) => {
    const since = world.harness.now()
    const post = await world.publish()
    await world.harness.replyByHand(post, world.text())
    await world.settle()
    const posts = await world.platform.discover({ ...world.options, since })
    assert.deepEqual(
      posts.map(({ remoteId }) => remoteId),
      [post],
    )
  },

  'does not show a post that was deleted': async (world) => {
    const since = world.harness.now()
    const post = await world.publish()
    await world.harness.removeByHand(post)
    await world.settle()
    assert.deepEqual(await world.platform.discover({ ...world.options, since }), [])
  },
}

const observing: Plays = {
  'reads several posts at once, each under the id it was asked by': async (world) => {
    const asked: string[] = []
    for (let count = 0; count < Math.min(3, world.description.observeBatch); count += 1) {
      asked.push(await world.publish())
    }
    await world.settle()
    const found = await world.platform.observe({ ...world.options, remoteIds: asked })
    assert.deepEqual(found.map(({ remoteId }) => remoteId).toSorted(), asked.toSorted())
    assert.ok(found.every(({ kind }) => kind === 'live'))
  },

  'gives counters that the description names, none negative, and their sum': async (world) => {
    const post = await world.publish()
    await world.harness.pass(minuteMs * 30)
    const { sample } = await world.live(post)
    const { counters } = world.description
    const named = Object.entries(sample.interactions ?? {})
    for (const [name, count] of named) {
      assert.ok(counters.includes(name), `${name} is not in the description`)
      assert.ok(Number.isInteger(count) && count >= 0, `${name} is ${count}`)
    }
    const sum = named.reduce((total, [, count]) => total + count, 0)
    assert.equal(sample.engagements, sum)
    assert.ok(Number.isFinite(sample.at))
  },

  'gives impressions where there are some, and never 0 for none': async (world) => {
    const post = await world.publish()
    await world.settle()
    const { impressions } = (await world.live(post)).sample
    if (world.description.hasImpressions) assert.ok((impressions ?? -1) >= 0)
    else assert.equal(impressions, null)
  },

  'shows that people liked a post, and of no other': async (world) => {
    const [liked, other] = [await world.publish(), await world.publish()]
    await world.settle()
    const before = await world.live(liked)
    const otherBefore = await world.live(other)
    await world.harness.like(liked, 1000)
    await world.settle()
    const gained = (await world.live(liked)).sample.engagements - before.sample.engagements
    assert.ok(gained >= 1000, `${gained} more after 1,000 likes`)
    const elsewhere = (await world.live(other)).sample.engagements - otherBefore.sample.engagements
    assert.ok(elsewhere < 1000)
  },

  'tells a deleted post from those that are there': async (world) => {
    const [gone, there] = [await world.publish(), await world.publish()]
    await world.harness.removeByHand(gone)
    await world.settle()
    assert.deepEqual(await world.observe(gone), { kind: 'deleted', remoteId: gone })
    assert.equal((await world.observe(there)).kind, 'live')
  },

  'ends when it is given up': async (world) => {
    const post = await world.publish()
    const { connection } = world.options
    const reading = world.platform.observe({
      connection,
      signal: AbortSignal.abort(),
      remoteIds: [post],
    })
    const fault = await world.faultOf(reading, 'read')
    assert.deepEqual([fault.landed, fault.code], ['no', 'timeout'])
  },
}

const signingIn: Plays = {
  'says that credentials are not accepted, without repeating them': async (world) => {
    const post = await world.publish()
    const { connection, signal } = world.options
    const wrong = 'canary-3f9a-of-wrong-credentials'
    const stranger = { ...connection, credentials: new Secret(wrong) }
    const options = { connection: stranger, signal, remoteIds: [post] }
    const error = await world.platform.observe(options).then(
      () => assert.fail('Wrong credentials were accepted'),
      (reason: unknown) => reason,
    )
    const fault = world.classify(error, 'read', world.harness.now())
    assert.deepEqual([fault.code, fault.scope, fault.landed], ['credentials', 'account', 'no'])
    requireWithout(wrong, error)
    requireWithout(wrong, fault)
  },
}

const readingBack: Plays = {
  'lists the account’s own replies': async (world) => {
    const post = await world.publish()
    const before = world.harness.now()
    const reply = await world.harness.replyByHand(post, world.text())
    await world.settle()
    const { ownReplies } = await world.live(post)
    assert.deepEqual(
      ownReplies.map(({ remoteId }) => remoteId),
      [reply],
    )
    assert.ok((ownReplies[0]?.at ?? 0) >= before)
  },
}

const editing: Plays = {
  'shows the text, and another version after the owner changed it': async (world) => {
    const post = await world.publish()
    await world.settle()
    const before = await world.live(post)
    assert.equal(before.text, (await world.look(post)).text)
    const text = world.text('Changed')
    await world.harness.editByHand(post, text)
    await world.settle()
    const after = await world.live(post)
    assert.equal(after.text, text)
    assert.notEqual(after.contentVersion, before.contentVersion)
  },
}

const restricting: Plays = {
  'tells a hidden post from a deleted one': async (world) => {
    const post = await world.publish()
    await world.harness.restrict(post)
    await world.settle()
    assert.deepEqual(await world.observe(post), { kind: 'restricted', remoteId: post })
  },
}
