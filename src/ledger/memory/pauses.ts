/** Owns the pauses of the memory store: one for each scope and target. */

import type { PauseRow } from '../rows.ts'
import { outlasts } from '../steps/pause.ts'

type Named = Pick<PauseRow, 'scope' | 'target'>

/** A pause that is there already is replaced, and stands last then. */
export function withPause(pauses: readonly PauseRow[], pause: PauseRow): readonly PauseRow[] {
  return [...withoutPause(pauses, pause), pause]
}

export function withoutPause(pauses: readonly PauseRow[], named: Named): readonly PauseRow[] {
  return pauses.filter((row) => !isPauseOf(row, named))
}

/** Whether one that is there lasts as long. */
export function isOutlasted(pauses: readonly PauseRow[], pause: PauseRow): boolean {
  return pauses.some((row) => isPauseOf(row, pause) && outlasts(row.until, pause.until))
}

export function isPauseOf(row: PauseRow, { scope, target }: Named): boolean {
  return row.scope === scope && row.target === target
}
