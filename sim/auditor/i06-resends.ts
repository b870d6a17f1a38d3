/**
 * I6: only what provably did not land, or what the network recognises, is sent again, and only so
 * many times. Judged by what the network was really sent and what became of that.
 */

import { secondMs } from '../../src/core/duration.ts'
import type { ActionId } from '../../src/core/ids.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import type { SentWrite } from '../faults/network-faults.ts'
import type { Network } from '../installation/network.ts'
import { accountOf, policyOf, required } from './scene.ts'
import type { Check, Scene, SeenWrite } from './scene.ts'

/** How long a process waits for the answer to a write. */
const waitsForMs = 30 * secondMs

export function checkResends(scene: Scene): Check {
  const sent = new Map<string, SentWrite[]>()
  const ids = new Map<string, ActionId>()
  return {
    onEvent({ type, data, actionId }) {
      if (type === 'action_planned' && actionId !== null) ids.set(data.key, actionId)
    },
    onWrite(seen) {
      const { key, segment } = seen.write
      const name = `${key} ${segment}`
      const earlier = sent.get(name) ?? []
      sent.set(name, [...earlier, seen.write])
      const row = required(scene.rows.actions.get(ids.get(key) as ActionId), `key ${key}`)
      checkHasAttempt(scene, row, segment, earlier.length + 1)
      if (earlier.length > 0) checkMaySendAgain(scene, row, seen, earlier)
      const { maximumAttempts } = policyOf(scene, accountOf(scene, row)).retry
      // The owner may have changed to a policy with fewer attempts since it was begun.
      const most = Math.max(maximumAttempts ?? Infinity, 5)
      if (earlier.length + 1 > most) {
        scene.report('I6', `segment ${segment} was sent ${earlier.length + 1} times`, row)
      }
    },
  }
}

/** Each send was written down before it was made. */
function checkHasAttempt(scene: Scene, row: ActionRow, segment: number, count: number): void {
  const attempts = scene.rows.attempts.get(row.id).filter((each) => each.segment === segment)
  if (attempts.length >= count) return
  const what = `segment ${segment} was sent ${count} times in ${attempts.length} attempts`
  scene.report('I6', what, row)
}

function checkMaySendAgain(
  scene: Scene,
  row: ActionRow,
  { network, write }: SeenWrite,
  earlier: readonly SentWrite[],
): void {
  const open = earlier.find((each) => mayHaveLanded(scene, row, each))
  if (open === undefined || isRecognised(network, row, write, open)) return
  const what = `segment ${write.segment} was sent again after ${open.fault.kind}`
  scene.report('I6', `${what}, which may have landed`, row)
}

/**
 * Whether the network takes it for the one it has already, by what its server really does. It keeps
 * a key from the first write that it carried out: one that it turned down leaves nothing behind.
 */
function isRecognised(
  { profile }: Network,
  row: ActionRow,
  write: SentWrite,
  open: SentWrite,
): boolean {
  if (row.action === 'edit') return false
  const { recognition } = profile
  if (recognition.by === 'record_key') return true
  if (recognition.by === 'nothing') return false
  return write.at - open.at < recognition.rememberedMs
}

function mayHaveLanded(scene: Scene, row: ActionRow, { fault, segment }: SentWrite): boolean {
  switch (fault.kind) {
    case 'unreachable':
    case 'rate_limited':
    case 'spam':
    case 'credentials':
      return false
    case 'slow':
      if (fault.delayMs >= waitsForMs) return true
      break
    case 'none':
      break
    default:
      return true
  }
  // It was answered: either refused, or it is there for all to see.
  return scene.effects.byKey(row.key).some(({ effect }) => effect.segment === segment)
}
