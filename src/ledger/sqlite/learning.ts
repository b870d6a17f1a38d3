/** Baseline curves, and how many actions in a row were measured without lift. */

import type { Action } from '../../core/action.ts'
import type { AccountId } from '../../core/ids.ts'
import type { CurveRow } from '../rows.ts'
import { upsertInto } from './columns.ts'
import type { Connection } from './connection.ts'
import { curves } from './tables.ts'

const upsertCurve = upsertInto(curves, ['postId'])

/** Of each account only the newest are kept. */
export function saveCurve(connection: Connection, curve: CurveRow, keep: number): void {
  connection.write(upsertCurve, curve)
  connection.run(
    `DELETE FROM curves WHERE post_id IN (SELECT post_id FROM curves
      WHERE account_id = ? ORDER BY matured_at DESC, post_id LIMIT -1 OFFSET ? + 0)`,
    curve.accountId,
    keep,
  )
}

export function listCurves(
  connection: Connection,
  { accountId, platform }: { readonly accountId?: AccountId; readonly platform?: string },
  limit: number,
): readonly CurveRow[] {
  const where = [
    ...(accountId === undefined ? [] : ['account_id = ?']),
    ...(platform === undefined ? [] : ['platform = ?']),
  ]
  const values = [accountId, platform].filter((value) => value !== undefined)
  return connection.rows(
    curves,
    `SELECT ${curves.list} FROM curves ${where.length === 0 ? '' : `WHERE ${where.join(' AND ')}`}
      ORDER BY matured_at DESC, post_id LIMIT ? + 0`,
    ...values,
    limit,
  )
}

export function setWithoutLift(
  connection: Connection,
  accountId: AccountId,
  action: Action,
  count: number,
): void {
  connection.run(
    `INSERT INTO without_lift (account_id, action, count) VALUES (?, ?, ?)
      ON CONFLICT (account_id, action) DO UPDATE SET count = excluded.count`,
    accountId,
    action,
    count,
  )
}
