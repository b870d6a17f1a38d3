/**
 * I4: an outcome that was acknowledged is not lost, and it is true: what is called a success can be
 * seen, and of what is called a failure nothing can.
 */

import { z } from 'zod'
import { splitSegments } from '../../src/core/segments.ts'
import type { ActionRow, SettleCommand, SettleResult, Settlement } from '../../src/ledger/index.ts'
import { actionOf, networkOf } from './scene.ts'
import type { Check, Scene } from './scene.ts'

/** An answer that a process got from the ledger. */
export interface Acknowledged {
  readonly command: SettleCommand
  readonly result: SettleResult
}

export interface OutcomeCheck extends Check {
  onAcknowledged(acknowledged: Acknowledged): void
}

const outcomeSchema = z.object({ remoteIds: z.array(z.string()), partial: z.boolean() })

export function checkKeptOutcomes(scene: Scene): OutcomeCheck {
  const ended: ActionRow[] = []
  return {
    onAcknowledged({ command, result }) {
      if (result.kind !== 'settled') return
      const row = scene.rows.actions.get(command.actionId)
      if (row === undefined) return scene.report('I4', `${command.actionId} is gone`)
      const problem = findLoss(scene, row, command)
      if (problem !== null) scene.report('I4', `${problem} although it was acknowledged`, row)
    },
    onEvent(event) {
      if (event.type !== 'action_changed') return
      if (event.data.to !== 'success' && event.data.to !== 'failed') return
      const row = actionOf(scene, event)
      ended.push(row)
      checkTruth(scene, row)
    },
    /** Evidence that comes late must not contradict what was settled. */
    onEnd() {
      for (const row of ended) if (row.state === 'failed') checkNothingLanded(scene, row)
    },
  }
}

const endStates: Partial<Record<Settlement['kind'], ActionRow['state']>> = {
  success: 'success',
  partial: 'success',
  failed: 'failed',
}

function findLoss(
  { rows }: Scene,
  row: ActionRow,
  { settlement, attemptId }: SettleCommand,
): string | null {
  const state = endStates[settlement.kind]
  if (state !== undefined && row.state !== state) {
    return `${settlement.kind} was lost: the row is ${row.state}`
  }
  const attempt = rows.attempts.get(row.id).find(({ id }) => id === attemptId)
  if (attempt === undefined) return attemptId === null ? null : `attempt ${attemptId} is gone`
  const isPending = attempt.result === 'pending'
  return isPending ? `what attempt ${attempt.number} came to was lost` : null
}

function checkTruth(scene: Scene, row: ActionRow): void {
  if (row.undoes !== null) {
    if (row.state === 'success') checkTakenBack(scene, row)
  } else if (row.state === 'failed') {
    checkNothingLanded(scene, row)
  } else {
    checkLanded(scene, row)
  }
}

function checkNothingLanded(scene: Scene, row: ActionRow): void {
  if (row.undoes !== null) return
  const seen = scene.effects.byKey(row.key)[0]
  if (seen === undefined || scene.rows.incidents.has(row.id)) return
  scene.report('I4', `it is called failed and is visible as ${seen.effect.remoteId}`, row)
}

/** Every post that it is said to have made was made by it, and all of them unless it is partial. */
function checkLanded(scene: Scene, row: ActionRow): void {
  const outcome = outcomeSchema.safeParse(row.outcome)
  const effects = scene.effects.byKey(row.key)
  // A person who attends says what they saw in words of their own.
  if (!outcome.success) {
    if (effects.length === 0) scene.report('I4', 'a person called it done and it is not', row)
    return
  }
  const made = new Set(effects.map(({ effect }) => effect.remoteId))
  const { remoteIds, partial } = outcome.data
  const stray = remoteIds.find((id) => !made.has(id))
  if (stray !== undefined) scene.report('I4', `it is said to have made ${stray}`, row)
  const segments = new Set(effects.map(({ effect }) => effect.segment)).size
  const expected = row.action === 'thread' ? splitSegments(row.text ?? '').length : 1
  if (!partial && segments < expected) {
    scene.report('I4', `${segments} of ${expected} segments are there`, row)
  }
}

function checkTakenBack(scene: Scene, row: ActionRow): void {
  const target = row.undoes === null ? undefined : scene.rows.actions.get(row.undoes)
  if (target === undefined) return
  const { now } = scene.time
  const left = scene.effects
    .byKey(target.key)
    .find(({ effect }) => effect.removedAt === null && effect.visibleAt <= now)
  const post = scene.rows.posts.get(row.postId)
  const truth = post === undefined ? null : networkOf(scene, row).truth.post(post.remoteId)
  // On a post that nobody can see, nothing of it is to be seen either.
  const isHidden = truth === null || truth.deletedAt !== null || truth.isRestricted
  if (left === undefined || isHidden) return
  scene.report('I4', `it was taken back and ${left.effect.remoteId} is still there`, row)
}
