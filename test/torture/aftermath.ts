/**
 * Owns what is asked of a ledger after everyone who worked on it was killed: does it still hold all
 * that was acknowledged, does `expire` find every claim, does the chain verify, are pages sound.
 */

import type { Ledger } from '../../src/ledger/ledger.ts'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import { openSqliteStore } from '../../src/ledger/sqlite/sqlite-store.ts'
import type { AckBook } from './acknowledgement.ts'
import { beginning } from './ledger-rows.ts'
import { readNetwork } from './network-file.ts'
import { openLedger } from './open-ledger.ts'
import type { StoreAddress } from './open-ledger.ts'
import { SharedClock } from './shared-clock.ts'
import { findLosses, readContents } from './torture-audit.ts'
import { leaseMs } from './torture-world.ts'
import type { TortureSettings } from './torture.ts'

export interface Aftermath {
  readonly losses: readonly string[]
  /** Claims that were still held, and how many of them `expire` found. */
  readonly held: number
  readonly freed: number
  /** What is still open in a way that only a living worker could end. */
  readonly stuck: number
  readonly audit: { readonly problems: number; readonly unsealed: number; readonly missing: number }
  readonly damage: readonly string[]
}

export async function lookBack(settings: TortureSettings, book: AckBook): Promise<Aftermath> {
  const { address, network } = settings
  const clock = new SharedClock(beginning)
  await using ledger = await openLedger(address, clock)
  const losses = findLosses(book, await readContents(ledger), readNetwork(network))
  const counts = await freeAll(ledger, clock)
  return {
    losses,
    ...counts,
    audit: await auditOf(ledger, book),
    damage: await findDamage(address),
  }
}

/** Lets every lease run out. */
async function freeAll(ledger: Ledger, clock: SharedClock) {
  const before = await readContents(ledger)
  const held = before.actions.filter(({ state }) => state === 'running')
  clock.moveTo((await ledger.now()) + leaseMs)
  const freed = new Set<string>()
  for (;;) {
    const changed = await ledger.expire(100, 0)
    for (const { id } of changed) freed.add(id)
    if (changed.length === 0) break
  }
  const { actions, attempts } = await readContents(ledger)
  const stuck =
    actions.filter(({ state }) => state === 'running').length +
    attempts.filter(({ result }) => result === 'pending').length
  return { held: held.length, freed: held.filter(({ id }) => freed.has(id)).length, stuck }
}

/** Seals what is left. What was acknowledged as sealed must be in the chain. */
async function auditOf(ledger: Ledger, book: AckBook) {
  const { entries } = await ledger.verifyAudit()
  while ((await ledger.seal(1000)) > 0);
  const { problems, unsealed } = await ledger.verifyAudit()
  return { problems: problems.length, unsealed, missing: Math.max(0, book.sealed - entries) }
}

async function findDamage(address: StoreAddress): Promise<readonly string[]> {
  switch (address.store) {
    case 'sqlite': {
      const clock = new SharedClock(beginning)
      await using store = await openSqliteStore({ path: address.path, clock })
      return store.checkIntegrity()
    }
    case 'postgres':
      return findPostgresDamage(address.connectionString)
  }
}

/** Every page of every table, and every index against its table. It throws where one is broken. */
async function findPostgresDamage(connectionString: string): Promise<readonly string[]> {
  const client = await connectOnce(connectionString)
  const relations = (kind: string) => `select c.oid from pg_class c
    where c.relkind = '${kind}' and c.relnamespace = 'secondwind'::regnamespace`
  try {
    await client.query({ text: 'create extension if not exists amcheck' })
    await client.query({
      text: `select bt_index_check(oid, true) from (${relations('i')}) i`,
    })
    const { rows } = await client.query({
      text: `select t.oid::regclass::text, v.msg from (${relations('r')}) t,
        lateral verify_heapam(t.oid::regclass) v`,
      rowMode: 'array',
    })
    return rows.map(([table, message]) => `${String(table)}: ${String(message)}`)
  } finally {
    await client.end()
  }
}
