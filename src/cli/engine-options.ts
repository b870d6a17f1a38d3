/** Makes what an engine is made of out of an installation. */

import type { EngineOptions } from '../engine/parts.ts'
import { systemClock, systemRandom } from '../system.ts'
import type { Installation } from './installation.ts'

export async function engineOptionsOf(installation: Installation): Promise<EngineOptions> {
  const { vault } = installation
  const { platforms } = await installation.networks()
  const purpose = 'credentials'
  return {
    ledger: installation.ledger,
    platforms,
    clock: systemClock,
    random: systemRandom,
    content: await installation.content(),
    openCredentials: ({ id, credentials }) =>
      credentials === null ? null : vault.open(credentials, { accountId: id, purpose }),
    sealCredentials: (accountId, secret) => vault.seal(secret, { accountId, purpose }),
    settings: { accountsAtOnce: installation.config.concurrency },
  }
}
