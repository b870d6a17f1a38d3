/** Owns the list of networks that are built in, and what all of them are given to work with. */

import { bluesky } from './bluesky/index.ts'
import type { Connector, ConnectorTools } from './connector.ts'
import { createGuardedSocket } from './fetch/guarded-socket.ts'
import { createGuardedFetch } from './guarded-fetch.ts'
import type { GuardedFetchSettings } from './guarded-fetch.ts'
import { mastodon } from './mastodon/index.ts'
import { nostr } from './nostr/index.ts'
import { x } from './x/index.ts'

/** In the order in which people are offered them. */
export const connectors: readonly Connector[] = [bluesky, mastodon, nostr, x]

export type ToolSettings = Omit<GuardedFetchSettings, 'limits'> & Pick<ConnectorTools, 'random'>

/** One set of rules about where calls may go, for requests and for WebSockets alike. */
export function createConnectorTools({ random, ...settings }: ToolSettings): ConnectorTools {
  return {
    fetch: createGuardedFetch(settings),
    socket: createGuardedSocket(settings),
    clock: settings.clock,
    random,
  }
}
