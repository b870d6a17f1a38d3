/** I8: one key never stands for two contents: what is to be seen is the text that was frozen. */

import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { splitSegments } from '../../src/core/segments.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import { actionOf, isClaim } from './scene.ts'
import type { Check, Scene } from './scene.ts'

export function checkOneContent(scene: Scene): Check {
  /** The text of each key as it was when it was first claimed. */
  const frozen = new Map<string, string>()
  return {
    onEvent(event) {
      if (event.type === 'attempt_begun') checkSameBytes(scene, actionOf(scene, event))
      if (!isClaim(event)) return
      const row = actionOf(scene, event)
      if (row.undoes !== null) return
      const text = row.text ?? ''
      if (hash('sha256', text, 'hex') !== row.textHash) {
        scene.report('I8', 'its hash is not that of its text', row)
      }
      const first = frozen.get(row.key)
      if (first === undefined) frozen.set(row.key, text)
      else if (first !== text) scene.report('I8', 'its text changed after the first claim', row)
    },
    onEffect({ effect }) {
      const text = frozen.get(effect.key)
      const expected = text === undefined ? undefined : segmentOf(text, effect)
      if (expected === effect.text) return
      const row = [...scene.rows.actions.values()].find(({ key }) => key === effect.key)
      scene.report('I8', `“${effect.text}” is visible instead of “${expected}”`, row ?? null)
    },
  }
}

function segmentOf(
  text: string,
  { action, segment }: { readonly action: string; readonly segment: number },
): string | undefined {
  return action === 'thread' ? splitSegments(text)[segment] : text
}

/** What may have landed is sent again byte for byte, or the network could not recognise it. */
function checkSameBytes(scene: Scene, row: ActionRow): void {
  const attempts = scene.rows.attempts.get(row.id)
  const newest = attempts.at(-1)
  const open = attempts.find(
    (each) => each !== newest && each.segment === newest?.segment && each.result === 'unknown',
  )
  if (newest === undefined || open === undefined) return
  if (!isDeepStrictEqual(newest.prepared, open.prepared)) {
    scene.report('I8', `attempt ${newest.number} sends other bytes than ${open.number}`, row)
  }
}
