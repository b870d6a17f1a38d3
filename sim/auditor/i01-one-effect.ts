/** I1: at most one visible effect per key, and per segment of a thread. */

import { isOpen } from '../../src/core/states.ts'
import { actionOf } from './scene.ts'
import type { Check, Scene } from './scene.ts'

export function checkOneEffect(scene: Scene): Check {
  const { rows, effects, report } = scene
  const keys = new Map<string, string>()
  return {
    /** What the owner took away before does not count: then only one of them is there. */
    onEffect({ effect }) {
      const same = effects
        .byKey(effect.key)
        .filter(({ effect: other }) => other !== effect && other.segment === effect.segment)
      const beside = same.find(
        ({ effect: other }) => other.removedAt === null || other.removedAt > effect.at,
      )
      if (beside === undefined) return
      const row = [...rows.actions.values()].find(({ key }) => key === effect.key)
      const what = `segment ${effect.segment} of one key is visible as ${effect.remoteId}`
      report('I1', `${what} and as ${beside.effect.remoteId}`, row ?? null)
    },
    onEvent(event) {
      if (event.type !== 'action_planned' && event.type !== 'undo_planned') return
      const row = actionOf(scene, event)
      const owner = keys.get(row.key)
      if (owner !== undefined) report('I1', `${row.id} has the key of ${owner}`, row)
      keys.set(row.key, row.id)
      const open = rows.actionsByPost
        .get(row.postId)
        .filter((id) => isOpen(rows.actions.get(id)?.state ?? 'success'))
      if (open.length > 1) report('I1', `${open.join(' and ')} are open on one post`, row)
    },
  }
}
