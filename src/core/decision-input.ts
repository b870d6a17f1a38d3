/** Owns everything a decision may know. What is not in here cannot influence a verdict. */

import type { Action } from './action.ts'
import type { Capabilities } from './capabilities.ts'
import { noTallies } from './history.ts'
import type { PastAction, Tallies } from './history.ts'
import type { ActionKey } from './ids.ts'
import type { Instant } from './instant.ts'
import type { Look } from './look.ts'
import type { Policy } from './policy.ts'
import type { Sample } from './sample.ts'
import type { AccountBaseline } from './signal.ts'
import type { State } from './states.ts'

/** The post that is decided on. */
export interface PostFacts {
  readonly id: string
  /** Null where nobody knows; `standard` then refuses to act. */
  readonly publishedAt: Instant | null
  /** The owner said: never touch this post. */
  readonly neverTouch: boolean
}

/** A pause in force. */
export interface Pause {
  readonly scope: 'everything' | 'platform' | 'account'
  readonly since: Instant
  /** When it ends by itself; absent or null where someone has to lift it. */
  readonly until?: Instant | null
  readonly reason: string
}

/** Held-out posts are watched and measured like the others, and never acted on. */
export type Arm = 'act' | 'holdout'

/** A row under another post that holds a key of this one; only an imported history can have it. */
export interface ForeignKey {
  readonly key: ActionKey
  readonly state: State
}

export interface DecisionInput {
  readonly post: PostFacts
  /** The account's IANA time zone, for quiet hours. */
  readonly timeZone: string
  readonly capabilities: Capabilities
  readonly samples: readonly Sample[]
  /** Earlier looks at this post, in any order. */
  readonly looks: readonly Look[]
  /** The account's past posts, for detectors that compare; null where none are known. */
  readonly baseline: AccountBaseline | null
  /** This post's rows in the ledger, in the order they were written. */
  readonly history: readonly PastAction[]
  readonly foreignKeys: readonly ForeignKey[]
  /** When the owner replied to the post by other means than the ledger. */
  readonly ownReplies: readonly Instant[]
  readonly tallies: Tallies
  /** For each action of this account, how many in a row were measured without lift. */
  readonly withoutLift: Readonly<Partial<Record<Action, number>>>
  readonly pauses: readonly Pause[]
  /** Null until the ledger has assigned one. */
  readonly arm: Arm | null
  readonly policy: Policy
  readonly now: Instant
}

/** For a post about which nothing is remembered: spread it into an input that has only samples. */
export const noPast = {
  looks: [],
  baseline: null,
  history: [],
  foreignKeys: [],
  ownReplies: [],
  tallies: noTallies,
  withoutLift: {},
  pauses: [],
  arm: null,
} as const satisfies Partial<DecisionInput>
