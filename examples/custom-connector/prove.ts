/**
 * Holds the connector to its port: the conformance kit plays every case that follows from what the
 * connector claims. In a project of yours this would be a loop of tests.
 */

import { Secret, toAccountId } from 'secondwind'
import { createGuardedFetch } from 'secondwind/platform'
import { VirtualClock, platformCases } from 'secondwind/testing'
import type { PlatformHarness, PlatformSuite } from 'secondwind/testing'
import { connectNoticeboard, description } from './connector.ts'
import { Noticeboard, possibleFaults } from './network.ts'
import type { PossibleFault } from './network.ts'

const handle = 'ann'
const canary = 'canary-of-the-right-credentials'

const suite: PlatformSuite = {
  description,
  faults: possibleFaults,
  lateMs: 10 * 60_000,
  canRestrict: false,
  canLimit: false,
  asksCredentials: true,
  open: openHarness,
}

async function openHarness(): Promise<PlatformHarness> {
  const clock = new VirtualClock()
  const network = new Noticeboard(clock)
  network.addPerson(handle, canary)
  const url = await network.start()
  const fetch = createGuardedFetch({ allowHosts: [new URL(url).host], clock })
  return {
    platform: connectNoticeboard(url, fetch),
    connection: {
      accountId: toAccountId('account-1'),
      handle,
      credentials: new Secret(canary),
      profile: null,
      renew: null,
    },
    canary,
    now: () => clock.now(),
    pass: (durationMs) => clock.advance(durationMs),
    // Eyes and hands on the network, which do not go through the connector.
    publish: async (text) => network.pin(handle, text),
    editByHand: async () => never(),
    removeByHand: async (remoteId) => void network.notices.delete(remoteId),
    replyByHand: async (remoteId, text) => network.pin(handle, text, remoteId),
    like: async (remoteId, amount) => network.show(remoteId, amount, amount),
    restrict: async () => never(),
    repliesTo: async (remoteId) =>
      network
        .repliesTo(remoteId)
        .map(({ id, text }) => ({ remoteId: id, text, reach: 'everyone' })),
    look: async (remoteId) => {
      const notice = network.notices.get(remoteId)
      return notice === undefined ? null : { text: notice.text, rest: null }
    },
    failNextWrite: (fault) => ({ met: network.failNextWrite(fault as PossibleFault) }),
    [Symbol.asyncDispose]: () => network[Symbol.asyncDispose](),
  }
}

/** The kit asks only for what the suite says it can do. */
function never(): never {
  throw new Error('The suite does not claim this')
}

let failed = 0
const cases = platformCases(suite)
for (const each of cases) {
  try {
    await each.run()
  } catch (error) {
    failed += 1
    console.log(`FAILED  ${each.name}\n`, error)
  }
}
console.log(`${cases.length - failed} of ${cases.length} cases hold.`)
process.exitCode = failed === 0 ? 0 : 1
