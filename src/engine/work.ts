/** Owns what is known while one claim is held, and of the segment that is sent under it. */

import type { Instant } from '../core/instant.ts'
import type { Policy } from '../core/policy.ts'
import type { AccountRow, ActionRow, AttemptRow, PostRow } from '../ledger/rows.ts'
import type { Connection, Description, Landed, Platform } from '../platform/platform.ts'
import type { Parts } from './parts.ts'

/** Everything that stays the same while one claim is held. */
export interface Work {
  readonly parts: Parts
  readonly account: AccountRow
  readonly post: PostRow
  readonly policy: Policy
  readonly platform: Platform
  readonly connection: Connection
  readonly description: Description
  readonly action: ActionRow
  readonly token: string
  /** By the ledger's time. */
  readonly claimedAt: Instant
}

export interface Segment {
  readonly number: number
  readonly texts: readonly string[]
  /** What was sent of this action before. */
  readonly before: readonly AttemptRow[]
  /** What the segments before this one came to. */
  readonly landed: readonly Landed[]
}
