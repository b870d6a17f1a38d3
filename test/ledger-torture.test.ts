/**
 * Kills without warning whoever works on a ledger, and the server under it. Afterwards nothing that
 * was acknowledged is lost, every claim is settled or found by `expire`, nothing was sent twice,
 * the chain of events verifies, and the store's own check finds no damage (I1, I4, I5, I7).
 *
 * A short form runs with the other tests; `SECONDWIND_TEST_FULL=1` kills 1,000 workers on SQLite,
 * 200 on Postgres, and the server 20 times. `SECONDWIND_TEST_SEED` chooses other moments.
 */

import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshDatabase, startPostgres } from './support/postgres.ts'
import { lookBack } from './torture/aftermath.ts'
import type { Aftermath } from './torture/aftermath.ts'
import type { StoreAddress } from './torture/open-ledger.ts'
import { killServer, killWorkers } from './torture/torture.ts'

const isFull = process.env['SECONDWIND_TEST_FULL'] === '1'
const kills = isFull
  ? { sqlite: 1000, postgres: 200, server: 20 }
  : { sqlite: 25, postgres: 8, server: 2 }
const seed = process.env['SECONDWIND_TEST_SEED'] ?? 'torture'
const timeout = isFull ? 3_600_000 : 180_000

/** Nothing lost, stuck or damaged; how many claims were held is a matter of chance. */
function wholeAfter({ held }: Aftermath): Aftermath {
  const audit = { problems: 0, unsealed: 0, missing: 0 }
  return { losses: [], held, freed: held, stuck: 0, audit, damage: [] }
}

/** A folder with the file that stands for the network. */
async function makeGround() {
  const folder = await mkdtempDisposable(join(tmpdir(), 'secondwind-torture-'))
  const network = join(folder.path, 'network')
  await writeFile(network, '')
  return { folder, network }
}

describe('workers that are killed at any moment', () => {
  test('leave a SQLite file whole', { timeout }, async () => {
    const { folder, network } = await makeGround()
    await using _ = folder
    const address: StoreAddress = { store: 'sqlite', path: join(folder.path, 'ledger.db') }
    const settings = { address, network, seed }
    const book = await killWorkers(settings, kills.sqlite)
    const after = await lookBack(settings, book)
    expect(after, `seed ${seed}`).toEqual(wholeAfter(after))
    expect(book.attempts.size).toBeGreaterThan(kills.sqlite)
  })

  test('leave a Postgres whole', { timeout }, async () => {
    const { folder, network } = await makeGround()
    await using _ = folder
    const address = { store: 'postgres', connectionString: await freshDatabase() } as const
    const settings = { address, network, seed }
    const book = await killWorkers(settings, kills.postgres)
    const after = await lookBack(settings, book)
    expect(after, `seed ${seed}`).toEqual(wholeAfter(after))
    expect(book.attempts.size).toBeGreaterThan(kills.postgres)
  })
})

describe('a Postgres that is killed under its workers', () => {
  test('comes back with all that it acknowledged', { timeout }, async () => {
    const { folder, network } = await makeGround()
    await using _ = folder
    const server = await startPostgres({ durable: true })
    try {
      const connectionString = await server.freshDatabase()
      const settings = { address: { store: 'postgres', connectionString }, network, seed } as const
      const book = await killServer(settings, server, kills.server)
      const after = await lookBack(settings, book)
      expect(after, `seed ${seed}`).toEqual(wholeAfter(after))
      expect(book.attempts.size).toBeGreaterThan(kills.server)
    } finally {
      await server.stop()
    }
  })
})
