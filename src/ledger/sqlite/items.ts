/** The shelf in the file. */

import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import type { ShelfItem } from '../shelf.ts'
import type { ItemStore, Page } from '../store.ts'
import type { Connection } from './connection.ts'
import type { FileTime } from './file-time.ts'
import type { GroupCommit } from './group-commit.ts'
import { items } from './tables.ts'

const isThere = '(expires_at IS NULL OR expires_at > ?)'

export const itemQueries = {
  get: `SELECT ${items.list} FROM items WHERE collection = ? AND id = ? AND ${isThere}`,
  list: `SELECT ${items.list} FROM items WHERE collection = ? AND id > ? AND ${isThere}
    ORDER BY id LIMIT ? + 0`,
  over: 'SELECT version FROM items WHERE expires_at <= ? ORDER BY expires_at LIMIT ? + 0',
} as const

export class SqliteItems implements ItemStore {
  readonly #connection: Connection
  readonly #time: FileTime
  readonly #commits: GroupCommit

  constructor(connection: Connection, time: FileTime, commits: GroupCommit) {
    this.#connection = connection
    this.#time = time
    this.#commits = commits
  }

  async get(collection: string, id: string) {
    this.#time.raise()
    return this.#find(collection, id)
  }

  /** A changed item is a new row, because the number of a row is never given twice. */
  put(
    collection: string,
    id: string,
    value: Json,
    expected: number | null,
    expiresAt: Instant | null,
  ) {
    return this.#commits.run(() => {
      if ((this.#find(collection, id)?.version ?? null) !== expected) return false
      this.#connection.run('DELETE FROM items WHERE collection = ? AND id = ?', collection, id)
      const sql = 'INSERT INTO items (collection, id, value, expires_at) VALUES (?, ?, ?, ?)'
      this.#connection.run(sql, collection, id, JSON.stringify(value), expiresAt)
      return true
    })
  }

  delete(collection: string, id: string, expected: number | null) {
    return this.#commits.run(() => {
      const item = this.#find(collection, id)
      if (item === null || (expected !== null && item.version !== expected)) return false
      return this.#connection.run('DELETE FROM items WHERE version = ?', item.version) === 1
    })
  }

  async list(collection: string, { after, limit }: Page) {
    this.#time.raise()
    const values = [collection, after ?? '', this.#time.now(), limit]
    return this.#connection.rows(items, itemQueries.list, ...values)
  }

  sweep(limit: number) {
    return this.#commits.run(() => {
      const over = this.#connection.all(itemQueries.over, this.#time.now(), limit)
      for (const [version] of over) {
        this.#connection.run('DELETE FROM items WHERE version = ?', Number(version))
      }
      return over.length
    })
  }

  #find(collection: string, id: string): ShelfItem | null {
    return this.#connection.row(items, itemQueries.get, collection, id, this.#time.now())
  }
}
