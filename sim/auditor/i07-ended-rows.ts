/** I7: a row that has ended never changes. */

import { isEnded } from '../../src/core/states.ts'
import type { ActionId } from '../../src/core/ids.ts'
import { actionOf } from './scene.ts'
import type { Check, Scene } from './scene.ts'

export function checkEndedRows(scene: Scene): Check {
  const ended = new Map<ActionId, string>()
  const compare = (id: ActionId, before: string) => {
    const row = scene.rows.actions.get(id)
    if (JSON.stringify(row) === before) return
    scene.report('I7', `it had ended and has changed; it was ${before}`, row ?? null)
  }
  const compareAll = () => {
    for (const [id, before] of ended) compare(id, before)
  }
  return {
    onEvent(event) {
      if (event.actionId === null) return
      const before = ended.get(event.actionId)
      if (before !== undefined) return compare(event.actionId, before)
      if (event.type !== 'action_changed' || !isEnded(event.data.to)) return
      const row = actionOf(scene, event)
      if (row.endedAt === null) scene.report('I7', 'it has ended at no time', row)
      ended.set(row.id, JSON.stringify(row))
    },
    onCalm: compareAll,
    onEnd: compareAll,
  }
}
