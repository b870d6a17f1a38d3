/**
 * Owns the connections, and what travels on them. Statements are sent without waiting for the
 * answers to those before, so that a whole list of them takes one round trip.
 *
 * Through PgBouncer in transaction mode this works from its version 1.21 on, which knows named
 * statements; there the three timeouts have to be set on the role instead, and be listed in
 * `ignore_startup_parameters`.
 */

import { LedgerError } from '../ledger-error.ts'
import { toLedgerError } from './errors.ts'
import type { Call } from './operation.ts'
import { createPool } from './pg.ts'
import type { Pool, PoolClient, Query, QueryResult, TypeParsers } from './pg.ts'

export interface ConnectionSettings {
  readonly connectionString: string
  readonly schema: string
  readonly poolSize: number
  /** How long a statement waits for what others hold. */
  readonly lockTimeoutMs: number
}

const statementTimeoutMs = 60_000
/** A process that stopped in the middle must not keep an account locked. */
const idleInTransactionTimeoutMs = 30_000
const connectTimeoutMs = 10_000
/** A line that went dead without a word is asked for a sign of life after this. */
const keepAliveAfterMs = 10_000
/** How the pool says that a connection is to be had, but not in time. */
const poolIsBusy = 'timeout exceeded when trying to connect'

export class Connections {
  /** The schema's name, quoted. */
  readonly schema: string
  readonly #pool: Pool
  readonly #size: number
  readonly #texts = new Map<string, string>()
  #end: Promise<void> | null = null

  constructor({ connectionString, schema, poolSize, lockTimeoutMs }: ConnectionSettings) {
    this.schema = `"${schema}"`
    this.#size = poolSize
    this.#pool = createPool({
      connectionString,
      application_name: 'secondwind',
      max: poolSize,
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: keepAliveAfterMs,
      connectionTimeoutMillis: connectTimeoutMs,
      statement_timeout: statementTimeoutMs,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
    })
    // The pool drops a connection that goes down while nobody uses it. Without a listener the
    // event would end the process.
    this.#pool.on('error', () => {})
    // A server that goes down can say so in the packet that greets, before anyone else listens.
    this.#pool.on('connect', (client) => client.on('error', () => {}))
  }

  /** Lends a connection. One that was lost meanwhile does not go back to the pool. */
  async use<R>(run: (line: Line) => Promise<R>): Promise<R> {
    const client = await this.#connect()
    let loss: Error | undefined
    const onLoss = (error: Error) => {
      loss = error
    }
    client.on('error', onLoss)
    try {
      return await run({ send: (calls) => this.#send(client, calls) })
    } finally {
      client.removeListener('error', onLoss)
      client.release(loss)
    }
  }

  end(): Promise<void> {
    this.#end ??= this.#pool.end()
    return this.#end
  }

  async #connect(): Promise<PoolClient> {
    try {
      return await this.#pool.connect()
    } catch (error) {
      if (error instanceof Error && error.message === poolIsBusy) {
        const message = `All ${this.#size} connections to Postgres are in use. Nothing was written.`
        throw new LedgerError('busy', `${message} Try again.`, { cause: error })
      }
      throw toLedgerError(error, 'before_commit')
    }
  }

  /** Sends all in one piece and waits for every answer, so that the line is quiet afterwards. */
  async #send(client: PoolClient, calls: readonly (Call | Query)[]): Promise<readonly Answer[]> {
    const { stream } = client.connection
    stream.cork()
    const sent = calls.map((one) => client.query('text' in one ? one : this.#toQuery(one)))
    stream.uncork()
    return Promise.allSettled(sent)
  }

  #toQuery({ operation, values }: Call): Query {
    const { name } = operation
    let text = this.#texts.get(name)
    if (text === undefined) {
      text = operation.text(this.schema)
      this.#texts.set(name, text)
    }
    return { name, text, values, types: asText, rowMode: 'array' }
  }
}

/** One connection while it is lent. */
export interface Line {
  send(calls: readonly (Call | Query)[]): Promise<readonly Answer[]>
}

export type Answer = PromiseSettledResult<QueryResult>

/**
 * Statements in a transaction are planned once on each connection, for any values and any size of
 * the tables: one that was planned while a table was small must not go on reading all of it. The
 * server's own choice would be to plan those with arrays anew each time, at 150 µs.
 */
export const begin: Query = {
  text: `begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off;
    set local enable_hashjoin = off; set local enable_mergejoin = off`,
}
export const commit: Query = { text: 'commit' }
export const rollback: Query = { text: 'rollback' }

/** Every column is read as the text the server sent; who asked for it knows what it is. */
const asText: TypeParsers = { getTypeParser: () => (text) => text }
