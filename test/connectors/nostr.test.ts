/** Holds the connector to Nostr to the port of a network, on two small relays of our own. */

import { describe, expect, it } from 'vitest'
import { platformCases } from '../../src/testing/platform-conformance.ts'
import { FakeRelay } from './nostr/fake-relay.ts'
import { nostrSuite } from './nostr/nostr-suite.ts'

describe('Nostr', () => {
  it.each(platformCases(nostrSuite(() => FakeRelay.start())))('$name', async (each) => {
    await expect(each.run()).resolves.toBeUndefined()
  })
})
