/** The command `doctor`: what is configured, where each value came from, and what is wrong. */

import { statSync } from 'node:fs'
import type { Command } from 'commander'
import { loadConfig } from '../../config/load-config.ts'
import type { LoadedConfig, Setting } from '../../config/load-config.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import { addCommand, configRequest } from '../call.ts'
import type { Call } from '../call.ts'
import { nameOf } from '../finding.ts'
import { builtInPolicies, isPostgres, openLedger } from '../installation.ts'
import { formatTable } from '../table.ts'
import { CommandError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'doctor',
    summary: 'What is configured, where each value came from, and what is wrong.',
    run: doctor,
  })
}

interface Finding {
  readonly is: 'well' | 'note' | 'wrong'
  readonly what: string
}

const well = (what: string): Finding => ({ is: 'well', what })
const note = (what: string): Finding => ({ is: 'note', what })
const wrong = (what: string): Finding => ({ is: 'wrong', what })

async function doctor(call: Call): Promise<void> {
  const loaded = await loadConfig(configRequest(call))
  const findings = [
    well(`Node ${process.versions.node}, SQLite ${process.versions['sqlite'] ?? '?'}`),
    well(loaded.file === null ? 'no configuration file' : `configuration file ${loaded.file}`),
    ...loaded.problems.map((problem) => wrong(problem.message)),
    ...checkPolicies(loaded),
    ...checkKey(loaded),
    ...(await checkModel(loaded)),
    ...(await checkLedger(loaded)),
  ]
  const isWell = findings.every(({ is }) => is !== 'wrong')
  call.out.show({ isWell, findings, settings: loaded.settings }, () =>
    [
      formatTable<Setting>(
        loaded.settings,
        [
          { title: 'setting', value: ({ name }) => name },
          { title: 'value', value: ({ shown }) => shown, isFlexible: true },
          { title: 'from', value: ({ from }) => from, isFlexible: true },
        ],
        call.out.width,
      ),
      '',
      ...findings.map((finding) => line(finding, call)),
    ].join('\n'),
  )
  if (!isWell) throw new CommandError('Something is wrong; see above.')
}

function line({ is, what }: Finding, { out }: Call): string {
  switch (is) {
    case 'well':
      return `${out.style('green', 'ok   ')} ${what}`
    case 'note':
      return `${out.style('yellow', 'note ')} ${what}`
    case 'wrong':
      return `${out.style('red', 'WRONG')} ${what}`
  }
}

function checkPolicies({ config }: LoadedConfig): readonly Finding[] {
  try {
    builtInPolicies(config)
    return []
  } catch (error) {
    return [wrong(messageOf(error))]
  }
}

function checkKey({ config: { key, keyFile } }: LoadedConfig): readonly Finding[] {
  if (key !== null) return [well('the key for credentials is given')]
  const stats = statSync(keyFile, { throwIfNoEntry: false })
  if (stats === undefined) return [note(`no key yet; ${keyFile} is made when one is needed`)]
  if ((stats.mode & 0o077) !== 0) {
    return [wrong(`others can read the key: chmod 600 ${keyFile}`)]
  }
  return [well(`the key is in ${keyFile}`)]
}

async function checkModel({ config }: LoadedConfig): Promise<readonly Finding[]> {
  if (config.modelUrl === null) return []
  if (config.modelName === null) return [wrong('modelName is missing; modelUrl needs it')]
  const missing: string[] = []
  for (const name of ['ai', '@ai-sdk/openai-compatible']) {
    await import(name).catch(() => missing.push(name))
  }
  return missing.length === 0
    ? [well(`texts are written by ${config.modelName}`)]
    : [wrong(`modelUrl needs packages that are missing: npm install ${missing.join(' ')}`)]
}

async function checkLedger({ config }: LoadedConfig): Promise<readonly Finding[]> {
  const isThere =
    isPostgres(config.database) || statSync(config.database, { throwIfNoEntry: false })
  if (isThere === undefined)
    return [note('no ledger yet; the first command that needs it makes it')]
  try {
    await using ledger = await openLedger(config)
    return [well('the ledger can be read and written'), ...(await checkContents(ledger))]
  } catch (error) {
    return [wrong(messageOf(error))]
  }
}

async function checkContents(ledger: Ledger): Promise<readonly Finding[]> {
  const accounts = await ledger.listAccounts()
  const now = await ledger.now()
  const nextDueAt = await ledger.nextDueAt()
  const overdueMs = nextDueAt === null ? 0 : now - nextDueAt
  return [
    ...(accounts.length === 0 ? [note('no account yet; secondwind init connects one')] : []),
    ...accounts
      .filter(({ status }) => status === 'parked')
      .map((row) => wrong(`${nameOf(row)} is parked: ${row.statusReason ?? ''}. Sign in again.`)),
    ...(await ledger.listPauses()).map(({ scope, target, reason }) =>
      note(`paused: ${scope} ${target}`.trimEnd() + (reason === '' ? '' : ` (${reason})`)),
    ),
    ...(overdueMs > staleMs
      ? [note('work is overdue, so no engine seems to run; secondwind serve starts one')]
      : []),
  ]
}

const staleMs = 10 * 60_000

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
