/** Owns counting the rows of one action that ended in one way. */

import type { Action } from '../action.ts'
import type { PastAction } from '../history.ts'
import type { Instant } from '../instant.ts'
import type { State } from '../states.ts'

export interface EndedRows {
  readonly count: number
  readonly lastAt: Instant | null
}

const none: EndedRows = { count: 0, lastAt: null }

export function endedRows(history: readonly PastAction[], action: Action, state: State): EndedRows {
  let count = 0
  let lastAt = -Infinity
  for (const past of history) {
    if (past.state !== state || past.action !== action) continue
    count += 1
    lastAt = Math.max(lastAt, past.endedAt ?? past.at)
  }
  return count === 0 ? none : { count, lastAt }
}
