/** Owns counting the rows of one action that ended in one way. */

import type { Action } from '../action.ts'
import type { PastAction } from '../history.ts'
import type { Instant } from '../instant.ts'
import type { State } from '../states.ts'

export function endedRows(
  history: readonly PastAction[],
  action: Action,
  state: State,
): { readonly count: number; readonly lastAt: Instant | null } {
  let count = 0
  let lastAt: Instant | null = null
  for (const past of history) {
    if (past.action !== action || past.state !== state) continue
    count += 1
    lastAt = Math.max(lastAt ?? -Infinity, past.endedAt ?? past.at)
  }
  return { count, lastAt }
}
