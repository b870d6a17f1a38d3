/** Owns what is learnt: curves of posts that were left alone, and counts without lift. */

import type { Action } from '../../core/action.ts'
import type { AccountId } from '../../core/ids.ts'
import type { CurveRow } from '../rows.ts'
import { arraysOf, readRow, upsertRows } from './columns.ts'
import type { SentRow } from './columns.ts'
import { toLimit } from './lists.ts'
import { call } from './operation.ts'
import type { Operation } from './operation.ts'
import { curveTable } from './tables.ts'
import type { Transactions } from './transactions.ts'

const upsertCurve: Operation = {
  name: 'upsert_curve',
  text: (s) => upsertRows(s, curveTable, 'post_id', 1),
}

const dropOldCurves: Operation = {
  name: 'drop_old_curves',
  text: (s) => `delete from ${s}.curves where post_id in (
    select post_id from ${s}.curves where account_id = $1
    order by matured_at desc, post_id offset $2::int)`,
}

export async function saveCurve(db: Transactions, curve: CurveRow, keep: number): Promise<void> {
  await db.write(
    call(upsertCurve, ...arraysOf(curveTable, [curve])),
    call(dropOldCurves, curve.accountId, toLimit(keep)),
  )
}

function curves(by: string, condition: string): Operation<SentRow> {
  return {
    name: `curves_${by}`,
    text: (s) => `select row_to_json(t) from ${s}.curves t ${condition}
      order by matured_at desc, post_id limit $1::int`,
  }
}

const allCurves = curves('all', '')
const curvesOfAccount = curves('account', 'where account_id = $2')
const curvesOfPlatform = curves('platform', 'where platform = $2')
const curvesOfBoth = curves('both', 'where account_id = $2 and platform = $3')

export async function listCurves(
  db: Transactions,
  { accountId, platform }: { accountId?: AccountId; platform?: string },
  limit: number,
): Promise<readonly CurveRow[]> {
  const most = toLimit(limit)
  const sent =
    accountId === undefined
      ? platform === undefined
        ? await db.read(allCurves, most)
        : await db.read(curvesOfPlatform, most, platform)
      : platform === undefined
        ? await db.read(curvesOfAccount, most, accountId)
        : await db.read(curvesOfBoth, most, accountId, platform)
  return sent.map((row) => readRow(curveTable, row))
}

const upsertWithoutLift: Operation = {
  name: 'upsert_without_lift',
  text: (s) => `insert into ${s}.without_lift (account_id, action, count) values ($1, $2, $3::int)
    on conflict (account_id, action) do update set count = excluded.count`,
}

export async function setWithoutLift(
  db: Transactions,
  accountId: AccountId,
  action: Action,
  count: number,
): Promise<void> {
  await db.write(call(upsertWithoutLift, accountId, action, count))
}
