/** Owns telling the pause that a restore set from those that people set. */

import type { Instant } from '../core/instant.ts'
import type { PauseRow } from '../ledger/rows.ts'

/** As the ledger writes it, with the reason of a pause that was there before, if there was one. */
const reason = /^restored from a backup(?:; paused before that: (.*))?$/s

export interface RestorePause {
  /** When the backup was made; null where only whoever restored it knows. */
  readonly backupAt: Instant | null
  /** Why the account was paused before that, or null where it was not. */
  readonly before: string | null
}

export function isRestoreReason(text: string): boolean {
  return reason.test(text)
}

export function restorePauseOf(
  pauses: readonly PauseRow[],
  accountId: string,
): RestorePause | null {
  for (const pause of pauses) {
    const match = reason.exec(pause.reason)
    if (pause.scope !== 'account' || pause.target !== accountId || match === null) continue
    // A copy is paused when it is made; a ledger that other tools restored, when someone says so.
    return { backupAt: pause.by === 'backup' ? pause.since : null, before: match[1] ?? null }
  }
  return null
}
