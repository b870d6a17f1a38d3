/** I5: when faults end, every claim is resolved or handed to a person within a bounded time. */

import { hourMs } from '../../src/core/duration.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import type { Check, Scene } from './scene.ts'

/** An action that was begun is over after a day; reading it back takes an hour more. */
export const resolvedWithinMs = 27 * hourMs

export function checkResolution(scene: Scene): Check {
  return {
    onCalm() {
      const now = scene.clock.ledgerTimeAt(scene.time.now)
      for (const id of scene.rows.openActions) {
        const row = scene.rows.actions.get(id)
        const problem = row === undefined ? null : findProblem(row, now)
        if (problem !== null) scene.report('I5', problem, row)
      }
    },
  }
}

function findProblem(row: ActionRow, now: number): string | null {
  switch (row.state) {
    case 'planned':
    case 'awaiting_approval':
    case 'approved':
      return now - row.expiresAt > hourMs ? `${row.state} long after it ran out` : null
    case 'running':
    case 'waiting':
    case 'unknown': {
      const forMs = now - (row.firstClaimedAt ?? row.plannedAt)
      return forMs > resolvedWithinMs ? `${row.state} since it was claimed ${forMs} ms ago` : null
    }
    default:
      // Whoever needs attention asks a person, who may take their time.
      return null
  }
}
