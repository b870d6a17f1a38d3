/** What the folder offers: the connector to Nostr. */

import type { Connector } from '../connector.ts'
import { NostrPlatform } from './nostr-platform.ts'
import { keySignIn } from './sign-in.ts'

export const nostr: Connector = {
  name: 'nostr',
  title: 'Nostr',
  create: (tools) => new NostrPlatform(tools),
  signIns: [keySignIn],
}
