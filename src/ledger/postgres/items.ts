/** The shelf in Postgres. Each call is one statement, so that two callers cannot both succeed. */

import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { ShelfItem } from '../shelf.ts'
import type { ItemStore, Page } from '../store.ts'
import { toLimit } from './lists.ts'
import { call } from './operation.ts'
import type { Operation } from './operation.ts'
import type { QueryResult, Value } from './pg.ts'
import type { Transactions } from './transactions.ts'

const item = `json_build_object('id', t.id, 'value', t.value, 'version', t.version)`

function isThere(s: string, timeMark: string): string {
  return `(t.expires_at is null or t.expires_at > ${s}.ledger_now(${timeMark}))`
}

const readItem: Operation<ShelfItem> = {
  name: 'read_item',
  text: (s) => `select ${item} from ${s}.items t
    where t.collection = $1 and t.id = $2 and ${isThere(s, '$3')}`,
}

const listItems: Operation<ShelfItem> = {
  name: 'list_items',
  text: (s) => `select ${item} from ${s}.items t
    where t.collection = $1 and t.id > $2 and ${isThere(s, '$4')} order by t.id limit $3::int`,
}

/** One whose time is over is in nobody's way. */
const addItem: Operation = {
  name: 'add_item',
  text: (s) => `insert into ${s}.items as t (collection, id, value, expires_at)
    values ($1, $2, $3::json, $4::float8)
    on conflict (collection, id) do update
      set value = excluded.value, expires_at = excluded.expires_at, version = default
      where not ${isThere(s, '$5')}`,
}

const changeItem: Operation = {
  name: 'change_item',
  text: (s) => `update ${s}.items t
    set value = $3::json, expires_at = $4::float8, version = default
    where t.collection = $1 and t.id = $2 and t.version = $6::bigint and ${isThere(s, '$5')}`,
}

const deleteItem: Operation = {
  name: 'delete_item',
  text: (s) => `delete from ${s}.items t where t.collection = $1 and t.id = $2
    and ($3::bigint is null or t.version = $3::bigint) and ${isThere(s, '$4')}`,
}

/** Those that another sweeper is at are left to it. */
const sweepItems: Operation = {
  name: 'sweep_items',
  text: (s) => `
    with clock as materialized (select ${s}.ledger_now($1) as now),
    over as materialized (
      select collection, id from ${s}.items where expires_at <= (select now from clock)
      order by expires_at limit $2::int for update skip locked)
    delete from ${s}.items t using over o where t.collection = o.collection and t.id = o.id`,
}

export class PostgresItems implements ItemStore {
  readonly #db: Transactions
  readonly #clockTime: () => Instant | null

  constructor(db: Transactions, clockTime: () => Instant | null) {
    this.#db = db
    this.#clockTime = clockTime
  }

  async get(collection: string, id: string) {
    return (await this.#db.read(readItem, collection, id, this.#clockTime()))[0] ?? null
  }

  put(
    collection: string,
    id: string,
    value: Json,
    expected: number | null,
    expiresAt: Instant | null,
  ) {
    const text = value === null ? null : JSON.stringify(value)
    const values = [collection, id, text, expiresAt, this.#clockTime()]
    if (expected === null) return this.#changesOne(addItem, ...values)
    return this.#changesOne(changeItem, ...values, expected)
  }

  delete(collection: string, id: string, expected: number | null) {
    return this.#changesOne(deleteItem, collection, id, expected, this.#clockTime())
  }

  list(collection: string, { after, limit }: Page) {
    return this.#db.read(listItems, collection, after ?? '', toLimit(limit), this.#clockTime())
  }

  async sweep(limit: number) {
    const write = call(sweepItems, this.#clockTime(), toLimit(limit))
    const [swept] = (await this.#db.write(write)) as [QueryResult]
    return swept.rowCount ?? 0
  }

  async #changesOne(operation: Operation, ...values: readonly Value[]) {
    const [changed] = (await this.#db.write(call(operation, ...values))) as [QueryResult]
    return changed.rowCount === 1
  }
}
