/** Owns the way from the ledger's rows to what the core decides on. */

import type { Capabilities } from '../core/capabilities.ts'
import type { DecisionInput } from '../core/decision-input.ts'
import type { PastAction } from '../core/history.ts'
import type { ActionId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import type { Policy } from '../core/policy.ts'
import type { AccountBaseline } from '../core/signal.ts'
import type { ActionRow } from './rows.ts'
import type { DecisionView } from './views.ts'

/**
 * An undo is no corrective action: it counts in no guard, but while it is open no other may begin,
 * which the one open place of the post sees to. With `except`, that row and its budget entry are
 * left out: an action must not block itself.
 */
export function toDecisionInput(
  view: DecisionView,
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
      .map((row) => toPastAction(row, landedBy(view, row.id))),
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

/** When at the latest an ended row landed after all, or null where it did not. */
function landedBy({ incidents }: DecisionView, id: ActionId): Instant | null {
  return incidents.find(({ actionId }) => actionId === id)?.at ?? null
}

/**
 * A failed row that landed after all counts as landed, although the row itself never changes. A
 * request that was given up may still be carried out later, and nobody knows when; it had landed
 * when that was found out, so this is the last moment at which it could have (I3).
 */
export function toPastAction(row: ActionRow, landedAfterAllBy: Instant | null): PastAction {
  return {
    key: row.key,
    action: row.action,
    tier: row.tier,
    state: landedAfterAllBy === null ? row.state : 'success',
    at: landedAfterAllBy ?? row.mayLandUntil ?? row.plannedAt,
    endedAt: row.endedAt,
  }
}
