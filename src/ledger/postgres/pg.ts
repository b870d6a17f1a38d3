/** Owns the border to the `pg` package: the narrow part of it that the store uses, with types. */

import { Client as UntypedClient, Pool as UntypedPool } from 'pg'

/** What a parameter may be given as. JSON and arrays are given as text. */
export type Value = string | number | boolean | null

export interface Query {
  /** A statement with a name is parsed once on each connection. */
  readonly name?: string
  readonly text: string
  readonly values?: readonly Value[]
  readonly types?: TypeParsers
  readonly rowMode?: 'array'
}

/** Says how each column is read; given with every query, so that no global setting matters. */
export interface TypeParsers {
  getTypeParser(oid: number, format?: string): (text: string) => unknown
}

export interface QueryResult {
  /** What the server did, like `COMMIT`; a failed transaction answers COMMIT with `ROLLBACK`. */
  readonly command: string
  readonly rowCount: number | null
  readonly rows: readonly (readonly unknown[])[]
}

interface Queryable {
  query(query: Query): Promise<QueryResult>
}

export interface PoolClient extends Queryable {
  /** With an error, the connection is closed instead of being used again. */
  release(error?: Error): void
  /** What is written while it is corked leaves in one piece. */
  readonly connection: { readonly stream: { cork(): void; uncork(): void } }
  on(event: 'error', listener: (error: Error) => void): unknown
  removeListener(event: 'error', listener: (error: Error) => void): unknown
}

export interface Pool {
  connect(): Promise<PoolClient>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
  on(event: 'connect', listener: (client: PoolClient) => void): unknown
}

export interface SingleClient extends Queryable {
  connect(): Promise<unknown>
  end(): Promise<void>
  on(event: 'error', listener: (error: Error) => void): unknown
}

export interface ConnectionSettings {
  readonly connectionString: string
  readonly application_name?: string
  readonly max?: number
  /** Sends statements without waiting for the answers to those before. */
  readonly pipeline?: boolean
  readonly connectionTimeoutMillis?: number
  readonly idleTimeoutMillis?: number
  readonly keepAlive?: boolean
  readonly keepAliveInitialDelayMillis?: number
  readonly statement_timeout?: number
  readonly lock_timeout?: number
  readonly idle_in_transaction_session_timeout?: number
}

const TypedPool = UntypedPool as new (settings: ConnectionSettings) => Pool
const TypedClient = UntypedClient as new (settings: ConnectionSettings) => SingleClient

export function createPool(settings: ConnectionSettings): Pool {
  return new TypedPool(settings)
}

/** A connection outside any pool. Whoever opens it ends it. */
export async function connectOnce(connectionString: string): Promise<SingleClient> {
  const client = new TypedClient({ connectionString })
  // Without a listener a lost connection would end the process; the next query reports it anyway.
  client.on('error', () => {})
  await client.connect()
  return client
}
