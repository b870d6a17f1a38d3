/** The commands of `db`: what keeps a ledger well. */

import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { formatCount, plural } from '../../core/wording.ts'
import { withoutPassword } from '../../config/load-config.ts'
import { systemClock } from '../../system.ts'
import { addCommand, readConfig } from '../call.ts'
import type { Call } from '../call.ts'
import { isPostgres, openInstallation, openLedger } from '../installation.ts'
import { matchRestored } from '../matching.ts'
import { requireYes } from '../questions.ts'
import { CommandError, exitCodes } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  const db = program.command('db').description('The ledger, and what keeps it well.')
  addCommand(db, terminal, {
    usage: 'migrate',
    summary: 'bring the ledger up to this version; any command does it too',
    run: migrate,
  })
  addCommand(db, terminal, {
    usage: 'status',
    summary: 'where it is and what is in it',
    run: status,
  })
  addCommand(db, terminal, {
    usage: 'verify',
    summary: 'check the chain of the audit log, every entry of it',
    run: verify,
  })
  addCommand(db, terminal, {
    usage: 'backup <file>',
    summary: 'copy a SQLite ledger while it is in use',
    run: backup,
  })
  addCommand(db, terminal, {
    usage: 'restore <file>',
    summary: 'put a copy in the place of a ledger that is gone; sending stays paused',
    run: restore,
  })
  addCommand(db, terminal, {
    usage: 'restored',
    summary: 'say that other tools restored the ledger; pauses every account',
    run: restored,
  })
  addCommand(db, terminal, {
    usage: 'match',
    summary: 'after a restore, find what went out since, and lift its pauses',
    shape: (command) =>
      command
        .option('--account <account>', 'one account; else all that a restore has paused')
        .option('--since <time>', 'when the backup was made, such as 2d; for db restored'),
    run: matchRestored,
  })
}

async function migrate(call: Call): Promise<void> {
  const { config } = await readConfig(call)
  const ledger = await openLedger(config)
  await ledger[Symbol.asyncDispose]()
  const where = withoutPassword(config.database)
  call.out.show({ database: where, current: true }, () => `${where} is up to date.`)
}

async function status(call: Call): Promise<void> {
  await using installation = await openInstallation(call)
  const { ledger, config } = installation
  const overview = await ledger.overview()
  const accounts = (await ledger.listAccounts()).length
  const pauses = await ledger.listPauses()
  const where = withoutPassword(config.database)
  call.out.show({ database: where, accounts, overview, pauses }, () =>
    [
      `Ledger:   ${where}`,
      `Store:    ${isPostgres(config.database) ? 'Postgres' : 'SQLite'}`,
      `Accounts: ${formatCount(accounts)}`,
      `Watched:  ${plural(overview.watched, 'post')}`,
      `Open:     ${overview.awaitingApproval} to approve, ${overview.approved} approved, ` +
        `${overview.running} running, ${overview.waiting} waiting, ` +
        `${overview.unknown} unknown, ${overview.needsAttention} need you`,
      `Pauses:   ${pauses.length === 0 ? 'none' : pauses.map(({ reason }) => reason).join('; ')}`,
    ].join('\n'),
  )
}

async function verify(call: Call): Promise<void> {
  await using installation = await openInstallation(call)
  const report = await installation.ledger.verifyAudit()
  call.out.show(report, () =>
    [
      `${plural(report.entries, 'entry').replace('entrys', 'entries')}, ` +
        `${formatCount(report.unsealed)} not sealed yet. Head: ${report.head}`,
      ...report.problems.map((problem) => `PROBLEM  ${JSON.stringify(problem)}`),
      report.problems.length === 0 ? 'The chain is whole.' : 'The chain is broken.',
    ].join('\n'),
  )
  if (report.problems.length > 0) {
    throw new CommandError('The audit log was changed. Compare it with a backup.')
  }
}

async function backup(call: Call): Promise<void> {
  const { config } = await readConfig(call)
  requireSqlite(config.database, 'pg_dump')
  const target = resolve(call.words[0] ?? '')
  if (call.dryRun) {
    call.out.show({ file: target }, () => `Would copy the ledger to ${target}.`)
    return
  }
  if (!existsSync(config.database)) throw new CommandError(`There is no ledger ${config.database}.`)
  const { openSqliteStore } = await import('../../ledger/sqlite/sqlite-store.ts')
  await using store = await openSqliteStore({ path: config.database, clock: systemClock })
  await store.backup(target)
  call.out.show({ file: target }, () => `Copied the ledger to ${target}.`)
}

async function restore(call: Call): Promise<void> {
  const { config } = await readConfig(call)
  requireSqlite(config.database, 'pg_restore, then secondwind db restored')
  const source = resolve(call.words[0] ?? '')
  if (!existsSync(source)) throw new CommandError(`There is no file ${source}.`)
  const inTheWay = ['', '-wal', '-shm']
    .map((ending) => config.database + ending)
    .find((path) => existsSync(path))
  if (inTheWay !== undefined) {
    throw new CommandError(
      `${inTheWay} is in the way. Stop every process, move it aside, and try again.`,
      exitCodes.refused,
    )
  }
  if (!call.dryRun) {
    await mkdir(dirname(config.database), { recursive: true, mode: 0o700 })
    await copyFile(source, config.database)
    const ledger = await openLedger(config)
    await ledger[Symbol.asyncDispose]()
  }
  call.out.show({ database: config.database, from: source }, () =>
    [
      `${call.dryRun ? 'Would restore' : 'Restored'} ${config.database} from ${source}.`,
      'Sending stays paused until each account’s timeline was matched with it:',
      'secondwind db match does that.',
    ].join('\n'),
  )
}

/** A copy of SQLite's knows it by itself; what came back by other ways has to be told. */
async function restored(call: Call): Promise<void> {
  await using installation = await openInstallation(call)
  const { ledger } = installation
  await requireYes(call, 'Pause every account until its timeline was matched?')
  if (!call.dryRun) await ledger.markRestored('command line')
  const accounts = (await ledger.listAccounts()).length
  call.out.show({ accounts, paused: !call.dryRun }, () =>
    [
      `${call.dryRun ? 'Would pause' : 'Paused'} ${plural(accounts, 'account')}.`,
      'Go on with secondwind db match --since <when the backup was made>.',
    ].join('\n'),
  )
}

function requireSqlite(database: string, instead: string): void {
  if (isPostgres(database)) {
    throw new CommandError(`The ledger is on Postgres: use its own tools (${instead}).`)
  }
}
