/**
 * Owns what one simulated network is like: what it says of itself to a connector, and how its
 * server behaves, which a connector learns only by using it.
 */

import type { Description, RateScope } from '../platform.ts'

/** How the network recognises a write that is sent again. */
export type Recognition =
  /** The client chooses the record's key; a second write with it meets the first one. */
  | {
      readonly by: 'record_key'
      /** A record that was deleted can be made again under its key, or never again. */
      readonly afterDeletion: 'made_again' | 'stays_gone'
      /** Repeating an atomic thread is answered like success, or by a server error. */
      readonly repeatedThread: 'same' | 'server_error'
    }
  /** A header names the write; the server remembers it for a while. */
  | { readonly by: 'idempotency_key'; readonly rememberedMs: number }
  /** It does not. Whatever is sent twice is there twice. */
  | { readonly by: 'nothing' }

/** How its server treats edits. */
export interface EditRules {
  /** An edit can name the version it replaces, and is refused if another one stands there. */
  readonly conditional: boolean
  /** What the edit does not mention is removed: media, warning, language. */
  readonly replacesAll: boolean
  /** Each edit gives the post another id; the old ones lead to it. */
  readonly givesNewId: boolean
  /** An edit that changes nothing is answered like success, or refused. */
  readonly unchanged: 'accepted' | 'refused'
}

export interface RateRule extends RateScope {
  readonly counts: 'every_call' | 'writes'
}

export interface Profile {
  readonly description: Description
  readonly recognition: Recognition
  /** Whether posts and own replies can be read again, with their text. */
  readonly readsBack: boolean
  readonly edits: EditRules
  readonly rates: readonly RateRule[]
}
