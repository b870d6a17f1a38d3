/** Owns what is learnt: curves of posts that were left alone, and counts without lift. */

import type { Action } from '../../core/action.ts'
import type { AccountId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { CurveRow } from '../rows.ts'
import type { MeasurementView } from '../views.ts'
import { arraysOf, readRow, upsertRows } from './columns.ts'
import type { SentRow } from './columns.ts'
import { toLimit } from './lists.ts'
import { call, firstOf } from './operation.ts'
import type { Operation } from './operation.ts'
import type { QueryResult } from './pg.ts'
import { curveTable, measurementTable, postTable } from './tables.ts'
import type { Taken } from './task.ts'
import type { Transactions } from './transactions.ts'
import { writeChanges } from './write-changes.ts'

const lockPost: Operation = {
  name: 'lock_measured_post',
  text: (s) => `select from ${s}.posts where id = $1 for no key update`,
}

/** A statement of its own: it sees what those wrote whom the lock was waited for. */
const readLocked: Operation<readonly [Instant, SentRow, SentRow]> = {
  name: 'read_locked_measurement',
  text: (s) => `select json_build_array(${s}.ledger_now($3), row_to_json(p), row_to_json(t))
    from ${s}.measurements t join ${s}.posts p on p.id = t.post_id
    where t.post_id = $1 and t.horizon_ms = $2::float8`,
}

interface Measured {
  readonly postId: PostId
  readonly horizonMs: number
  /** The time of a given clock, or null where the server's counts. */
  readonly given: Instant | null
}

export function withMeasurement<R>(
  db: Transactions,
  { postId, horizonMs, given }: Measured,
  eventOffset: string,
  take: (view: MeasurementView) => Taken<R>,
): Promise<R | null> {
  const calls = [call(lockPost, postId), call(readLocked, postId, horizonMs, given)]
  return db.exchange<R | null>(calls, ([, read]) => {
    const sent = firstOf(readLocked, read as QueryResult)
    if (sent === null) return { result: null, writes: [] }
    const [now, post, measurement] = sent
    const taken = take({
      now,
      post: readRow(postTable, post),
      measurement: readRow(measurementTable, measurement),
    })
    return { result: taken.result, writes: writeChanges([taken], eventOffset) }
  })
}

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
