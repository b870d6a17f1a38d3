/**
 * Owns what claiming and settling comes to in the tables, as bare statements: the same rows, and
 * with them the same indexes and triggers, without a guard or anything else that has to be read.
 * No ledger that keeps such rows can be faster by itself.
 */

import type { ActionId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import { refused } from '../../src/testing/ledger/world.ts'
import { claimLeaseMs } from './workload.ts'

/** A plan that waits in the ledger, as `waitingPlans` finds it. */
export type WaitingPlan = readonly [id: ActionId, postId: string, accountId: string]

type Value = string | number | null

/** A statement whose marks are `$1` and so on. */
export interface Write {
  readonly name: string
  readonly sql: string
  readonly values: (plan: WaitingPlan, now: Instant) => readonly Value[]
}

/** A column of events that only one of the stores has, and its value. */
export interface OwnColumn {
  readonly name: string
  readonly sql: string
}

export const waitingPlans = `select id, post_id, account_id from actions
  where state = 'planned' order by planned_at, id`

/** What each of the two transactions writes. */
export function sameRows(own: OwnColumn): readonly (readonly Write[])[] {
  return [
    [claim, event(own, { from: 'planned', to: 'running', reason: null, by: null })],
    [settle, event(own, { from: 'running', to: 'failed', reason: refused.code, by: null })],
  ]
}

const claim: Write = {
  name: 'claim',
  sql: `update actions set state = 'running', token = $2, lease_until = $3, due_at = $3,
      may_land_until = $3, first_claimed_at = $4, version = 2 where id = $1 and version = 1`,
  values: ([id], now) => [id, `token-${id}`, now + claimLeaseMs, now],
}

const settle: Write = {
  name: 'settle',
  sql: `update actions set state = 'failed', ended_at = $2, fault = $3, due_at = null,
      lease_until = null, may_land_until = null, version = 3 where id = $1 and version = 2`,
  values: ([id], now) => [id, now, JSON.stringify(refused)],
}

function event({ name, sql }: OwnColumn, data: Readonly<Record<string, string | null>>): Write {
  const text = JSON.stringify(data)
  return {
    name: `event_${data['to']}`,
    sql: `insert into events (at, type, account_id, post_id, action_id, data, ${name})
      values ($1, 'action_changed', $2, $3, $4, $5, ${sql})`,
    values: ([id, postId, accountId], now) => [now, accountId, postId, id, text],
  }
}
