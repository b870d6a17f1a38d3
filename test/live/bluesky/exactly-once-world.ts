/** Owns the world in which an engine acts on the reference server, with faults on the way. */

import { join } from 'node:path'
import { textOf } from '../../connectors/bluesky/fake-repo.ts'
import { Owner } from '../../connectors/bluesky/owner.ts'
import type { ExactlyOnceWorld } from '../exactly-once.ts'
import { FaultProxy, isWrite } from '../fault-proxy.ts'
import { signIn } from './backing.ts'
import type { DevNetwork } from './dev-network.ts'

const module = join(import.meta.dirname, '../../../src/platform/bluesky/index.ts')

export async function openExactlyOnce(network: DevNetwork): Promise<ExactlyOnceWorld> {
  const account = await network.openAccount()
  const { credentials } = await signIn(network, account)
  const proxy = await FaultProxy.start({ target: network.url })
  const { did, handle, call } = account
  const profile = { did, pds: proxy.url, edits: true }
  const session = { ...(JSON.parse(credentials.reveal()) as object), ...profile }
  const owner = new Owner(did, call, Date.now)
  return {
    account: {
      module,
      exported: 'bluesky',
      allowHosts: [new URL(proxy.url).host],
      handle,
      credentials: JSON.stringify(session),
      profile,
    },
    publish: (text) => owner.publish(text),
    countVisible: async (action, remoteId, text) => {
      // Anywhere in the account: a copy that hangs elsewhere is a copy all the same.
      const texts =
        action === 'edit' ? [(await owner.look(remoteId))?.text] : (await owner.all()).map(textOf)
      return texts.filter((each) => each === text).length
    },
    arm: (fault, nth) => {
      const armed = proxy.arm({ fault, nth })
      return Object.assign(armed, {
        isWrite: () => armed.request !== null && isWrite(armed.request),
      })
    },
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}
