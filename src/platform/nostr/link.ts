/** Owns the address under which a person can look at a note. */

import { encodeEventPointer } from './bech32.ts'
import type { NostrEvent } from './event.ts'

/** A gateway that shows any note in a browser, and offers to open it in the reader's own client. */
const gateway = 'https://njump.me/'

export function linkTo({ id, pubkey }: NostrEvent, relay: string | null): string {
  return gateway + encodeEventPointer({ id, author: pubkey, relay })
}
