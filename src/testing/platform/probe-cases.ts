/** What must be true of probing: it reads only, and what it finds can be stored and described. */

import assert from 'node:assert/strict'
import { Secret } from '../../core/secret.ts'
import type { Probed } from '../../platform/platform.ts'
import { casesOf } from './case.ts'
import type { CasesFor, Plays } from './case.ts'
import { consistency, plain } from './describe-cases.ts'
import { requireWithout } from './world.ts'
import type { World } from './world.ts'

export const probeCases: CasesFor = (suite) => [
  ...casesOf(suite, 'probe', probing),
  ...casesOf(suite, 'probe', suite.asksCredentials ? signingIn : {}),
]

const probe = ({ platform, options }: World): Promise<Probed> => platform.probe(options)

const probing: Plays = {
  'says who the account is, and the same when asked again': async (world) => {
    const { handle } = await probe(world)
    assert.notEqual(handle.trim(), '')
    assert.equal((await probe(world)).handle, handle)
  },

  'changes nothing that can be seen': async (world) => {
    const since = world.harness.now()
    const post = await world.publish()
    const before = await world.look(post)
    await probe(world)
    await world.settle()
    assert.deepEqual(await world.look(post), before)
    assert.deepEqual(await world.harness.repliesTo(post), [])
    const posts = await world.platform.discover({ ...world.options, since })
    assert.deepEqual(
      posts.map(({ remoteId }) => remoteId),
      [post],
    )
  },

  'finds what can be stored': async (world) => {
    const { profile } = await probe(world)
    assert.deepEqual(JSON.parse(JSON.stringify(profile)), profile, 'It does not survive JSON')
  },

  'finds what can be described': async (world) => {
    const { profile } = await probe(world)
    const { platform, harness } = world
    const connection = { ...harness.connection, profile }
    const description = platform.describe(connection)
    for (const check of Object.values(consistency)) check(description)
    assert.equal(description.platform, platform.name)
    assert.deepEqual(plain(platform.describe(connection)), plain(description))
  },

  'ends when it is given up': async (world) => {
    const { connection } = world.options
    const giving = world.platform.probe({ connection, signal: AbortSignal.abort() })
    const fault = await world.faultOf(giving, 'read')
    assert.deepEqual([fault.landed, fault.code], ['no', 'timeout'])
  },
}

const signingIn: Plays = {
  'says that credentials are not accepted, without repeating them': async (world) => {
    const { connection, signal } = world.options
    const wrong = 'canary-3f9a-of-wrong-credentials'
    const stranger = { ...connection, credentials: new Secret(wrong) }
    const error = await world.platform.probe({ connection: stranger, signal }).then(
      () => assert.fail('Wrong credentials were accepted'),
      (reason: unknown) => reason,
    )
    const fault = world.classify(error, 'read', world.harness.now())
    assert.deepEqual([fault.code, fault.scope, fault.landed], ['credentials', 'account', 'no'])
    requireWithout(wrong, error)
    requireWithout(wrong, fault)
  },
}
