/** Owns the way from the ledger's rows to what the core decides on. */

import type { Capabilities } from '../core/capabilities.ts'
import type { DecisionInput } from '../core/decision-input.ts'
import type { PastAction } from '../core/history.ts'
import type { ActionId } from '../core/ids.ts'
import type { Policy } from '../core/policy.ts'
import type { AccountBaseline } from '../core/signal.ts'
import type { ActionRow } from './rows.ts'
import type { PostView } from './store.ts'

/**
 * An undo is no corrective action: it counts in no guard, but while it is open no other may begin,
 * which the one open place of the post sees to. With `except`, that row and its budget entry are
 * left out: an action must not block itself.
 */
export function toDecisionInput(
  view: PostView,
  policy: Policy,
  capabilities: Capabilities,
  baseline: AccountBaseline | null,
  except: ActionId | null = null,
): DecisionInput {
  const { post, account } = view
  return {
    post: { id: post.id, publishedAt: post.publishedAt, neverTouch: post.neverTouch },
    timeZone: account.timeZone,
    capabilities,
    samples: view.samples,
    looks: view.looks,
    baseline,
    history: view.actions
      .filter((row) => row.id !== except && row.undoes === null)
      .map((row) => toPastAction(row, view.incidents.includes(row.id))),
    foreignKeys: [],
    ownReplies: view.ownReplies,
    tallies: {
      account: view.accountTally.filter(({ actionId }) => actionId !== except),
      platform: view.platformTally,
    },
    withoutLift: view.withoutLift,
    pauses: view.pauses,
    arm: post.arm,
    policy,
    now: view.now,
  }
}

/**
 * A failed row that landed after all counts as landed, although the row itself never changes. It
 * was sent before it was taken as failed, so that is the last moment at which it could have landed.
 */
export function toPastAction(row: ActionRow, landedAfterAll: boolean): PastAction {
  return {
    key: row.key,
    action: row.action,
    tier: row.tier,
    state: landedAfterAll ? 'success' : row.state,
    at: landedAfterAll ? (row.endedAt ?? row.plannedAt) : (row.mayLandUntil ?? row.plannedAt),
    endedAt: row.endedAt,
  }
}
