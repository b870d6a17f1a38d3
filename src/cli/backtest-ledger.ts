/** Reads what a backtest replays from a ledger: a SQLite file, or a Postgres server. */

import { stat } from 'node:fs/promises'
import { dayMs } from '../core/duration.ts'
import { InputError } from '../core/input-error.ts'
import type { Instant } from '../core/instant.ts'
import { readLedger } from '../engine/backtest/read-ledger.ts'
import type { RecordedPost } from '../engine/backtest/recorded-post.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { openPostgresLedger, openSqliteLedger } from '../ledger/open-ledger.ts'
import { systemClock } from '../system.ts'
import { matchAccount } from './finding.ts'
import { isPostgres } from './installation.ts'
import { ProgressBar } from './progress-bar.ts'
import { CommandError } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export interface LedgerWish {
  /** A file, or an address that begins with postgres://. */
  readonly address: string
  /** By id or handle; null for all. */
  readonly account: string | null
  /** Only posts of the last so many days are replayed; null for all. */
  readonly days: number | null
}

export interface LedgerRecordings {
  readonly posts: readonly RecordedPost[]
  /** Null where all posts are replayed. */
  readonly since: Instant | null
  /** The account's own, for quiet hours. */
  readonly timeZoneOf: (account: string) => string
}

/** The ledger is closed again when it returns. */
export async function readFromLedger(
  { address, account: word, days }: LedgerWish,
  { stderr }: Terminal,
): Promise<LedgerRecordings> {
  await using ledger = await openExisting(address)
  const accounts = await ledger.listAccounts()
  const account = word === null ? null : matchAccount(accounts, word)
  const since = days === null ? null : (await ledger.now()) - days * dayMs
  const bar = new ProgressBar(stderr, 'reading')
  try {
    const posts = await readLedger(ledger, {
      ...(account === null ? {} : { accountId: account.id }),
      ...(since === null ? {} : { since }),
      onProgress: (done, all) => bar.show(done, all),
    })
    if (!posts.some(({ publishedAt }) => publishedAt >= (since ?? -Infinity))) {
      throw new CommandError(
        since === null
          ? 'The ledger holds no post that was ever read.'
          : `No post of the last ${days} days was read; try more --days.`,
      )
    }
    const zones = new Map<string, string>(accounts.map(({ id, timeZone }) => [id, timeZone]))
    return { posts, since, timeZoneOf: (id) => zones.get(id) ?? 'UTC' }
  } finally {
    bar.clear()
  }
}

/** A backtest must never make a ledger: an empty one would look like one without posts. */
async function openExisting(address: string): Promise<Ledger> {
  if (isPostgres(address)) {
    return openPostgresLedger({ connectionString: address, poolSize: 2 })
  }
  const found = await stat(address).catch(() => null)
  if (found?.isFile() !== true) {
    throw new InputError(
      '--ledger',
      `${address} is no file; give a ledger or a postgres:// address`,
    )
  }
  return openSqliteLedger({ path: address, clock: systemClock })
}
