/**
 * Owns how work is handed out to several workers. A job only says where to look: it may be lost, or
 * come twice, and does no harm, because what is due is in the rows. It is put on the queue in the
 * transaction that makes its rows due, by one statement that the queue's owner gives.
 */

import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { State } from '../../core/states.ts'
import type { ActionRow } from '../rows.ts'
import { dueStates } from '../store.ts'
import type { Changes } from '../store.ts'
import { toLimit } from './lists.ts'
import { call, jsonOf } from './operation.ts'
import type { Call, Operation } from './operation.ts'
import type { Transactions } from './transactions.ts'

/** The next step of an action. */
export interface ActionJob {
  readonly kind: 'send' | 'reconcile'
  readonly actionId: ActionId
  readonly accountId: AccountId
  /** Of the row that is due so. One that has moved on since is not meant any more. */
  readonly version: number
  readonly state: State
  readonly at: Instant
}

/** Posts of one account that are read together. */
export interface CheckJob {
  readonly kind: 'check'
  readonly accountId: AccountId
  readonly postIds: readonly PostId[]
  /** From then on the same posts are handed out again. */
  readonly until: Instant
}

export type Job = ActionJob | CheckJob

/** How jobs get on a queue that is kept in the same database. */
export interface JobWriter {
  /** One statement with one parameter, which holds all of the jobs. */
  readonly statement: string
  toParameter(jobs: readonly Job[]): string
}

/** A statement that puts these jobs on the queue; none where there is nothing to say. */
export function writeJobs(writer: JobWriter | null, jobs: readonly Job[]): readonly Call[] {
  if (writer === null || jobs.length === 0) return []
  const operation: Operation = { name: 'write_jobs', text: () => writer.statement }
  return [call(operation, writer.toParameter(jobs))]
}

/** What these changes make due, now or later. */
export function jobsOf(changes: readonly Changes[]): readonly ActionJob[] {
  return changes.flatMap(({ insertAction, updateAction }) => {
    const row = updateAction ?? insertAction
    return row === undefined ? [] : jobsOfRow(row)
  })
}

function jobsOfRow({ id, accountId, state, version, dueAt }: ActionRow): readonly ActionJob[] {
  const kind = kinds.find((each) => dueStates[each].includes(state))
  if (kind === undefined || dueAt === null) return []
  return [{ kind, actionId: id, accountId, version, state, at: dueAt }]
}

const kinds = ['send', 'reconcile'] as const

/** Hands out what is due. Any number of processes may ask at once. */
export class HandingOut {
  readonly #db: Transactions
  readonly #writer: JobWriter

  constructor(db: Transactions, writer: JobWriter) {
    this.#db = db
    this.#writer = writer
  }

  /**
   * Puts posts that are due on the queue, in batches of one account each, and notes when they are
   * handed out again unless someone has looked by then. Returns how many posts.
   */
  handOutChecks({ limit, batch, forMs }: HandOut): Promise<number> {
    return this.#db.exchange([call(takeChecks, toLimit(limit), forMs)], ([result]) => {
      const taken = result === undefined ? [] : jsonOf(takeChecks, result)
      const jobs = toBatches(taken, batch)
      return { result: taken.length, writes: writeJobs(this.#writer, jobs) }
    })
  }

  /** Actions that are due, the longest first, from a place on. Their jobs may be lost. */
  async listDueActions(after: DuePlace | null, limit: number): Promise<readonly ActionJob[]> {
    const rows = await this.#db.read(
      dueActions,
      after?.at ?? -Infinity,
      after?.actionId ?? '',
      toLimit(limit),
    )
    return rows.map(([actionId, accountId, version, state, at]) => {
      const kind = state === 'unknown' ? 'reconcile' : 'send'
      return { kind, actionId, accountId, version, state, at }
    })
  }

  /** How long the post that is to be handed out next, and the longest due action, have waited. */
  async readLag(): Promise<Lag> {
    const [lag] = await this.#db.read(readLag)
    if (lag === undefined) return { checkMs: 0, actionMs: 0 }
    const [checkMs, actionMs] = lag
    return { checkMs, actionMs }
  }
}

export interface HandOut {
  /** At most so many posts. */
  readonly limit: number
  /** At most so many in one job. */
  readonly batch: number
  readonly forMs: number
}

export type DuePlace = Pick<ActionJob, 'actionId' | 'at'>

export interface Lag {
  readonly checkMs: number
  readonly actionMs: number
}

type TakenPost = readonly [PostId, AccountId, until: Instant]

/** Not handed out, or too long ago. */
const isFree = `coalesce(handed_until, 0) <= (select now from clock)`

/**
 * What another process hands out just now is not waited for. Rows are gone to by their place, and
 * each post is looked up by itself: joined, the server would read all of them for a large batch.
 */
const takeChecks: Operation<TakenPost> = {
  name: 'take_checks',
  text: (s) => `
    with clock as materialized (select ${s}.ledger_now(null) as now),
    found as materialized (
      select ctid as place from ${s}.checks where at <= (select now from clock) and ${isFree}
      order by at, id limit $1::int for no key update skip locked),
    taken as (update ${s}.checks set handed_until = (select now from clock) + $2::float8
      where ctid = any(array(select place from found)) returning id, handed_until)
    select json_build_array(id, (select account_id from ${s}.posts p where p.id = t.id),
      handed_until) from taken t`,
}

const actionStates = kinds.flatMap((kind) => dueStates[kind])

const dueActions: Operation<readonly [ActionId, AccountId, number, State, Instant]> = {
  name: 'due_actions',
  text: (s) => `
    with clock as materialized (select ${s}.ledger_now(null) as now)
    select json_build_array(id, account_id, version, state, due_at) from (${actionStates
      .map(
        (state) => `
      (select id, account_id, version, state, due_at from ${s}.actions
        where state = '${state}' and due_at is not null and due_at <= (select now from clock)
          and (due_at, id) > ($1::float8, $2)
        order by due_at, id limit $3::int)`,
      )
      .join(' union all ')}) t order by due_at, id limit $3::int`,
}

const readLag: Operation<readonly [checkMs: number, actionMs: number]> = {
  name: 'read_lag',
  text: (s) => `
    with clock as materialized (select ${s}.ledger_now(null) as now)
    select json_build_array(
      greatest(0, coalesce((select now from clock) - (
        select at from ${s}.checks where ${isFree} order by at, id limit 1), 0)),
      greatest(0, coalesce((select now from clock) - least(${actionStates
        .map(
          (state) =>
            `(select min(due_at) from ${s}.actions
              where state = '${state}' and due_at is not null)`,
        )
        .join(', ')}), 0)))`,
}

function toBatches(taken: readonly TakenPost[], size: number): readonly CheckJob[] {
  const jobs: CheckJob[] = []
  for (const [accountId, posts] of Map.groupBy(taken, ([, account]) => account)) {
    for (let start = 0; start < posts.length; start += size) {
      const batch = posts.slice(start, start + size)
      const postIds = batch.map(([id]) => id)
      const until = Math.min(...batch.map(([, , each]) => each))
      jobs.push({ kind: 'check', accountId, postIds, until })
    }
  }
  return jobs
}
