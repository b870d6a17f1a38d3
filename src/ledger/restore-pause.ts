/**
 * Owns the pause that a restore sets on each account, until it was matched with its timeline. A
 * pause that people had set is not forgotten over it.
 */

import type { AccountId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { PauseRow } from './rows.ts'
import { isInForce } from './steps/pause.ts'

const restored = 'restored from a backup'
const reason = /^restored from a backup(?:; paused before that: (.*))?$/s

/** Null where an earlier restore's still stands: from then on nothing was matched. */
export function pauseAfterRestore(
  accountId: AccountId,
  pauses: readonly PauseRow[],
  since: Instant,
  by: string,
): PauseRow | null {
  const earlier = pauses.find(
    (row) => row.scope === 'account' && row.target === accountId && isInForce(row, since),
  )
  if (earlier !== undefined && restoreOf(earlier) !== null) return null
  const before = earlier === undefined ? '' : `; paused before that: ${earlier.reason}`
  const why = `${restored}${before}`
  return { scope: 'account', target: accountId, since, until: null, reason: why, by }
}

export interface RestorePause {
  /** When the backup was made; null where only whoever restored it knows. */
  readonly backupAt: Instant | null
  /** Why the account was paused before that, or null where it was not. */
  readonly before: string | null
}

/** Null where no restore has paused it. */
export function restoreOf({ scope, since, reason: why, by }: PauseRow): RestorePause | null {
  const match = scope === 'account' ? reason.exec(why) : null
  if (match === null) return null
  // A copy is paused when it is made; a ledger that other tools restored, when someone says so.
  return { backupAt: by === 'backup' ? since : null, before: match[1] ?? null }
}

export function restorePauseOf(
  pauses: readonly PauseRow[],
  accountId: AccountId,
): RestorePause | null {
  const own = pauses.filter(({ target }) => target === accountId).map(restoreOf)
  return own.find((restore) => restore !== null) ?? null
}
