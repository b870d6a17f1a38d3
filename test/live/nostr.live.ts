/** Holds the connector to the port and to at most one effect, on relays that others wrote. */

import { describe, expect, it } from 'vitest'
import { platformCases } from '../../src/testing/platform-conformance.ts'
import { nostrSuite } from '../connectors/nostr/nostr-suite.ts'
import { publish, Scene } from '../connectors/nostr/scene.ts'
import { exactlyOnceCases, liveFaults } from './exactly-once.ts'
import { openExactlyOnce } from './nostr/exactly-once-world.ts'
import { RealRelay } from './nostr/real-relay.ts'

const suite = nostrSuite(() => RealRelay.start())

describe('a real relay', () => {
  it.each(platformCases(suite))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })

  it('takes the login that it asks for, and then the event', async () => {
    await using relay = await RealRelay.start({ wantsLogin: true })
    const scene = new Scene([relay.url], null, Date.now())
    const write = await scene.ready(publish([relay.store]))
    const { remoteId } = await scene.platform.commit(write)
    expect(relay.store.has(remoteId)).toBe(true)
    expect(relay.logins).toBe(1)
  })
})

describe.each([1, 2])('the engine on real relays, %i of them', (relayCount) => {
  const { description } = suite
  const open = () => openExactlyOnce(relayCount)
  it.each(exactlyOnceCases({ description, faults: liveFaults, open }))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})
