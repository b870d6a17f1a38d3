/** Owns what a platform can do, as far as a decision needs to know it. */

import type { Action } from './action.ts'

/**
 * How a platform treats a write that is sent twice.
 * A: it deduplicates, so an unknown may be sent again. B: it can only be read back.
 * C: neither, so a person has to look.
 */
export type WriteClass = 'A' | 'B' | 'C'

export type ActionCapability =
  | {
      readonly supported: true
      readonly writeClass: WriteClass
      /** How long after publication the action is possible; null where there is no limit. */
      readonly withinMs: number | null
    }
  | { readonly supported: false; readonly why: string }

/** What one platform, or one account on it, can do. */
export interface Capabilities {
  readonly platform: string
  readonly actions: Readonly<Record<Action, ActionCapability>>
}

/** A platform that can do everything and deduplicates nothing; the classic executor assumes it. */
export const everythingSupported: Capabilities = {
  platform: 'any',
  actions: {
    comment: { supported: true, writeClass: 'C', withinMs: null },
    edit: { supported: true, writeClass: 'C', withinMs: null },
    thread: { supported: true, writeClass: 'C', withinMs: null },
  },
}
