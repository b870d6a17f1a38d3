/** Owns a fresh account on the real server for one case, signed in as an owner would be. */

import type { Instant } from '../../../src/core/instant.ts'
import { blueskyAt } from '../../../src/platform/bluesky/index.ts'
import type { SignedIn } from '../../../src/platform/connector.ts'
import { toolsFor } from '../../connectors/bluesky/suite.ts'
import type { Backing, MovableClock } from '../../connectors/bluesky/suite.ts'
import { LeapingClock } from '../exactly-once/leaping-clock.ts'
import type { DevAccount, DevNetwork } from './dev-network.ts'

class SkippingClock extends LeapingClock implements MovableClock {
  async advance(durationMs: number): Promise<void> {
    const until: Instant = this.now() + durationMs
    this.leapTo(until)
  }
}

/** By app password, through the connector's own way to sign in. */
export async function signIn(network: DevNetwork, account: DevAccount): Promise<SignedIn> {
  const { url: service, directory } = network
  const [byPassword] = blueskyAt({ service, directory }).signIns
  if (byPassword?.kind !== 'direct') throw new Error('An app password is not asked for first')
  const { handle, appPassword: password } = account
  const tools = toolsFor(new LeapingClock(), [new URL(service).host])
  const { signal } = new AbortController()
  return byPassword.open(tools, { handle, password, server: service }, signal)
}

export async function openLive(network: DevNetwork): Promise<Backing> {
  const account = await network.openAccount()
  const { credentials } = await signIn(network, account)
  const { accessJwt, refreshJwt } = JSON.parse(credentials.reveal()) as Backing['session']
  const { did, handle, call } = account
  return {
    url: network.url,
    did,
    handle,
    session: { accessJwt, refreshJwt },
    index: network.index,
    call,
    clock: new SkippingClock(),
    [Symbol.asyncDispose]: async () => {},
  }
}
