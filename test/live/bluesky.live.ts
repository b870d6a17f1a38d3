/** Holds the connector to the port and to at most one effect, on the reference server. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { actionKey } from '../../src/core/key.ts'
import { describeAccount } from '../../src/platform/bluesky/description.ts'
import type { WriteRequest } from '../../src/platform/platform.ts'
import { platformCases } from '../../src/testing/platform-conformance.ts'
import type { FakeRecord } from '../connectors/bluesky/fake-repo.ts'
import { suiteOn } from '../connectors/bluesky/suite.ts'
import { openLive } from './bluesky/backing.ts'
import { findRecord, startDevNetwork } from './bluesky/dev-network.ts'
import type { DevNetwork } from './bluesky/dev-network.ts'
import { openExactlyOnce } from './bluesky/exactly-once-world.ts'
import { exactlyOnceCases, liveFaults } from './exactly-once.ts'

let network: DevNetwork | null = null

function running(): DevNetwork {
  if (network === null) throw new Error('The network has not started')
  return network
}

beforeAll(async () => {
  network = await startDevNetwork()
})

afterAll(async () => {
  await network?.[Symbol.asyncDispose]()
})

describe.each([
  ['as it is', false],
  ['with edits', true],
])('the reference server, %s', (_, edits) => {
  const suite = suiteOn(() => openLive(running()), edits)
  it.each(platformCases(suite))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})

it('each post of a thread names the one before by the id that the server gave it', async () => {
  await using harness = await suiteOn(() => openLive(running()), false).open()
  const { platform, connection } = harness
  const options = { connection, signal: new AbortController().signal }
  const remoteId = await harness.publish('A post', 'everyone')
  const key = actionKey(remoteId, 'thread', 'tier_3', 0)
  const request: WriteRequest = {
    key,
    action: 'thread',
    target: { remoteId, text: null, contentVersion: null },
    texts: ['Grüße 🌱 #tag', 'See https://example.com', 'Three'],
    segment: 0,
    previous: [],
    preparedAt: harness.now(),
  }
  const preparation = await platform.prepare({ ...options, request })
  if (preparation.kind !== 'ready') throw new Error(JSON.stringify(preparation))
  const { remoteIds } = await platform.commit({ ...options, key, token: preparation.token })
  let parent = await versionOf(running(), remoteId)
  for (const uri of remoteIds) {
    const record = await versionOf(running(), uri)
    expect(record.value).toMatchObject({ reply: { parent: { uri: parent.uri, cid: parent.cid } } })
    parent = record
  }
})

async function versionOf({ url }: DevNetwork, uri: string): Promise<FakeRecord> {
  const record = await findRecord(url, uri)
  if (record === null) throw new Error(`${uri} is gone`)
  return record
}

describe('the engine on the reference server', () => {
  const description = describeAccount({ did: '', pds: '', edits: true })
  const open = () => openExactlyOnce(running())
  it.each(exactlyOnceCases({ description, faults: liveFaults, open }))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})
