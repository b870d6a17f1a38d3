/**
 * I2: no post gets more actions in a window, or in its life, than the maximum; no account and no
 * platform more than its budget. Counted by what was really to be seen on the post, and by the
 * ledger's rows where the budget is the ledger's own.
 */

import { dayMs, hourMs } from '../../src/core/duration.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import {
  accountOf,
  actionOf,
  guardOf,
  isClaim,
  knownHandReplies,
  otherEffectsOnPost,
  policyOf,
} from './scene.ts'
import type { Check, Scene } from './scene.ts'

export function checkLimits(scene: Scene): Check {
  return {
    onEvent(event) {
      if (event.type === 'attempt_begun') checkPlatform(scene, actionOf(scene, event), event.at)
      if (!isClaim(event)) return
      const row = actionOf(scene, event)
      if (row.undoes !== null) return
      checkPost(scene, row, event.at)
      if (row.firstClaimedAt === event.at) checkAccount(scene, row, event.at)
    },
  }
}

function checkPost(scene: Scene, row: ActionRow, now: number): void {
  const policy = policyOf(scene, accountOf(scene, row))
  const others = otherEffectsOnPost(scene, row)
  const window = guardOf(policy, 'window_frequency')
  if (window !== null) {
    const from = now - window.windowMs
    const keys = new Set(others.filter(({ at }) => at >= from).map(({ effect }) => effect.key))
    const byHand = knownHandReplies(scene, row).filter((at) => at >= from)
    const count = keys.size + byHand.length
    if (count >= window.maximum) {
      const what = `${count} actions were on the post in the window of ${window.maximum}`
      scene.suspect('I2', `${what} when one more was claimed`, row)
    }
  }
  const life = guardOf(policy, 'lifetime_maximum')
  const inLife = new Set(others.map(({ effect }) => effect.key)).size
  if (life !== null && inLife >= life.maximum) {
    scene.suspect('I2', `the post had ${inLife} actions of ${life.maximum} in its life`, row)
  }
}

function checkAccount(scene: Scene, row: ActionRow, now: number): void {
  const budget = guardOf(policyOf(scene, accountOf(scene, row)), 'account_budget')
  if (budget === null) return
  let inHour = 0
  let inDay = 0
  for (const id of scene.rows.actionsByAccount.get(row.accountId).toReversed()) {
    const other = scene.rows.actions.get(id)
    if (other === undefined || other.undoes !== null) continue
    // A plan lives for hours at most, so nothing planned two days ago was first claimed today.
    if (other.plannedAt < now - 2 * dayMs) break
    const at = other.firstClaimedAt
    if (at === null) continue
    if (at >= now - hourMs) inHour += 1
    if (at >= now - dayMs) inDay += 1
  }
  if (inHour > budget.perHour || inDay > budget.perDay) {
    const what = `the account began ${inHour} actions in an hour and ${inDay} in a day`
    scene.report('I2', `${what}; ${budget.perHour} and ${budget.perDay} are allowed`, row)
  }
}

function checkPlatform(scene: Scene, row: ActionRow, now: number): void {
  const budget = guardOf(policyOf(scene, accountOf(scene, row)), 'platform_budget')
  if (budget === null) return
  let count = 0
  for (const at of scene.rows.platformAttempts.get(row.platform).toReversed()) {
    if (at < now - budget.windowMs) break
    count += 1
  }
  if (count > budget.maximum) {
    const what = `${count} attempts on ${row.platform} in the window`
    scene.report('I2', `${what}; ${budget.maximum} are allowed`, row)
  }
}
