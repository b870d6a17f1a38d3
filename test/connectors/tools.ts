/** Owns the tools of a connector under test: the guarded fetch, let through to one local server. */

import type { Clock } from '../../src/core/clock.ts'
import type { ConnectorTools } from '../../src/platform/connector.ts'
import { createGuardedSocket } from '../../src/platform/fetch/guarded-socket.ts'
import { createGuardedFetch } from '../../src/platform/guarded-fetch.ts'

export function toolsFor(url: string, clock: Clock): ConnectorTools {
  const allowHosts = [new URL(url).host]
  let ids = 0
  return {
    fetch: createGuardedFetch({ allowHosts, clock }),
    socket: createGuardedSocket({ allowHosts, clock }),
    clock,
    random: {
      fraction: () => 0.5,
      id: () => {
        ids += 1
        return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`
      },
    },
  }
}
