/**
 * Owns the way from whatever the server holds to the schema this program knows. Migrations go
 * forward only, each in one transaction with the note that it was done, so that half a migration
 * cannot be. An advisory lock lets one of several processes that start together do them. Those of
 * an older version may be at work meanwhile.
 *
 * Only the one schema is ever touched. What is not ours or incomplete is refused, and so is what is
 * newer, unless all that was done since says that it can still be used by this version (I10).
 */

import { LedgerError } from '../ledger-error.ts'
import { isRetryable, toLedgerError } from './errors.ts'
import { migrations } from './migrations/migrations.ts'
import type { Migration } from './migrations/migration.ts'
import { connectOnce } from './pg.ts'
import type { Query, SingleClient } from './pg.ts'

/** Which migrations there are can be given, so that tests can go from any version to any other. */
export async function migrate(
  connectionString: string,
  schema: string,
  known: readonly Migration[] = migrations,
): Promise<void> {
  let client: SingleClient | null = null
  try {
    client = await connectOnce(connectionString)
    while ((await migratePatiently(client, schema, known)) === 'moved');
  } catch (error) {
    throw toLedgerError(error, 'before_commit')
  } finally {
    await client?.end()
  }
}

const mostTries = 5

/** Processes at work may lock what it needs in another order; then one has to begin anew. */
async function migratePatiently(
  client: SingleClient,
  schema: string,
  known: readonly Migration[],
): Promise<'moved' | 'current'> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await migrateOnce(client, schema, known)
    } catch (error) {
      if (tries >= mostTries || !isRetryable(error)) throw error
    }
  }
}

/** Another process may be at a long migration, and it is worth waiting for. */
const patience = `set local lock_timeout = '10min'`

async function migrateOnce(
  client: SingleClient,
  schema: string,
  known: readonly Migration[],
): Promise<'moved' | 'current'> {
  const s = `"${schema}"`
  await client.query({ text: 'begin' })
  try {
    await client.query({ text: patience })
    const lock = `select pg_advisory_xact_lock(hashtextextended('secondwind ${s} migrate', 0))`
    await client.query({ text: lock })
    const done = await readDone(client, schema)
    const next = requireKnown(schema, done, known)
    if (next !== null) await apply(client, s, next)
    else await requireWhole(client, schema, known)
    await client.query({ text: 'commit' })
    return next === null ? 'current' : 'moved'
  } catch (error) {
    await client.query({ text: 'rollback' }).catch(() => {})
    throw error
  }
}

interface Done {
  readonly version: number
  readonly name: string
  /** Null where no older program may use what it left. */
  readonly usableFrom: number | null
}

/** What was done already. Makes room for the notes where there is nothing yet. */
async function readDone(client: SingleClient, schema: string): Promise<readonly Done[]> {
  const s = `"${schema}"`
  const found = await client.query({
    text: `select to_regnamespace('${s}') is not null, to_regclass('${s}.migrations') is not null,
      exists (select from pg_class where relnamespace = to_regnamespace('${s}'))`,
    rowMode: 'array',
  })
  const [hasSchema, hasNotes, hasTables] = found.rows[0] ?? []
  if (hasNotes === true) {
    // Before version 8 there was no such column.
    const text = `select version, name, (to_json(m)->>'usable_from')::int
      from ${s}.migrations m order by version`
    const { rows } = await client.query({ text, rowMode: 'array' })
    return rows.map(([version, name, usableFrom]) => ({
      version: version as number,
      name: name as string,
      usableFrom: usableFrom as number | null,
    }))
  }
  if (hasTables === true) {
    throw new LedgerError(
      'foreign',
      `Schema ${schema} holds tables that are not a ledger's. Nothing was changed. ` +
        'Give the ledger a schema of its own.',
    )
  }
  if (hasSchema !== true) await client.query({ text: `create schema ${s}` })
  await client.query({
    text: `create table ${s}.migrations (version integer primary key, name text not null,
      done_at timestamptz not null default clock_timestamp())`,
  })
  return []
}

/** The next migration to do, or null where all are done. */
function requireKnown(
  schema: string,
  done: readonly Done[],
  known: readonly Migration[],
): Migration | null {
  const mayUse = ({ usableFrom }: Done) => usableFrom !== null && usableFrom <= known.length
  if (!done.slice(known.length).every(mayUse)) {
    throw new LedgerError(
      'newer',
      `The ledger in schema ${schema} has version ${done.at(-1)?.version}; this program knows ` +
        `versions up to ${known.length}. Nothing was changed. Upgrade the program.`,
    )
  }
  for (const [index, migration] of known.entries()) {
    const note = done[index]
    if (note === undefined) return migration
    if (note.version !== migration.version || note.name !== migration.name) {
      throw new LedgerError(
        'damaged',
        `The ledger in schema ${schema} says that its version ${note.version} is ` +
          `"${note.name}", where ${migration.version} "${migration.name}" belongs. ` +
          'Nothing was changed. Restore a backup.',
      )
    }
  }
  return null
}

async function apply(client: SingleClient, s: string, migration: Migration): Promise<void> {
  await client.query({ text: migration.statements(s).join(';\n') })
  const { version, name, usableFrom } = migration
  const text = `insert into ${s}.migrations (version, name) values ($1, $2)`
  await client.query({ text, values: [version, name] })
  if (usableFrom === undefined) return
  const note = `update ${s}.migrations set usable_from = $2 where version = $1`
  await client.query({ text: note, values: [version, usableFrom] })
}

/** Every table that the program works with must be there: an emptied ledger is not a new one. */
async function requireWhole(
  client: SingleClient,
  schema: string,
  known: readonly Migration[],
): Promise<void> {
  const { rows } = await client.query(tablesOf(schema))
  const there = new Set(rows.map(([name]) => name))
  const added = known.flatMap(({ tables = [] }) => tables)
  const missing = added.filter((name) => !there.has(name))
  if (missing.length === 0) return
  throw new LedgerError(
    'damaged',
    `The ledger in schema ${schema} lacks ${missing.join(', ')}. Nothing was changed. ` +
      'Restore a backup.',
  )
}

function tablesOf(schema: string): Query {
  const text = 'select tablename from pg_tables where schemaname = $1'
  return { text, values: [schema], rowMode: 'array' }
}
