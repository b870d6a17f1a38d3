/** The command `backtest`: replays one policy, or two side by side, over recorded posts. */

import { parseArgs } from 'node:util'
import type { Policy } from '../core/policy.ts'
import { isTimeZone } from '../core/time-zone.ts'
import { backtest } from '../engine/backtest.ts'
import type { BacktestOptions } from '../engine/backtest.ts'
import { compareReports } from '../engine/backtest/compare.ts'
import type { BacktestReport } from '../engine/backtest/report.ts'
import type { RecordedPost } from '../engine/backtest/recorded-post.ts'
import type { LedgerWish } from './backtest-ledger.ts'
import { describeComparison, describeReport } from './backtest-page.ts'
import { ProgressBar } from './progress-bar.ts'
import { readPolicy, readRecordings } from './recordings.ts'
import { UsageError } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const help = `usage: secondwind backtest <file|folder> | --ledger <ledger> [options]

Replays a policy over recorded posts, without any network.

  <file|folder>      .csv or .json files, also packed as .gz
  --ledger <ledger>  instead: the posts of a ledger, a file or a postgres:// one
  --account <name>   of the ledger one account alone, by its handle or id
  --days <n>         of the ledger the last n days; older posts are their past
  --policy <policy>  standard (unless said otherwise), classic, or a .json file
  --compare <policy> a second policy to hold beside it
  --zone <zone>      the time zone for quiet hours, such as Europe/Paris; else
                     the accounts' own in a ledger, and UTC for files
  --json             one JSON object, with what would be done to each post

Raw readings stay in a ledger for 30 days. An older post is replayed at the few
ages that are kept of it, at which hardly anything is confirmed, so --days 30 is
what tells most.

A .csv file has a post a line: its engagements every 20 minutes in TS1…TS144,
its impressions, if known, in IMP1…IMP144; -1 is "not observed". The columns id,
account and publishedAt may be there. Without publishedAt posts are taken to be
48 h apart, in the order of the file.

A .json file is a list of posts:
  [{ "id": "1", "publishedAt": "2026-01-01T12:00:00Z", "account": "ann",
     "samples": [{ "at": "2026-01-01T12:20:00Z", "engagements": 3,
                   "impressions": 120 }] }]
`

interface Call {
  readonly source:
    | { readonly kind: 'files'; readonly path: string }
    | ({ readonly kind: 'ledger' } & LedgerWish)
  readonly policies: readonly string[]
  /** Null where the accounts' own count, or UTC. */
  readonly timeZone: string | null
  readonly json: boolean
}

/** What is replayed, and how. */
interface Recordings {
  readonly posts: readonly RecordedPost[]
  readonly options: BacktestOptions
}

export async function backtestCommand(words: readonly string[], terminal: Terminal): Promise<void> {
  const call = parseCall(words)
  if (call === null) {
    terminal.stdout.write(help)
    return
  }
  const policies: Policy[] = []
  for (const name of call.policies) policies.push(await readPolicy(name))
  const recordings = await read(call, terminal)
  const reports = policies.map((policy) => replay(recordings, policy, terminal))
  terminal.stdout.write(call.json ? toJson(reports) : toPage(reports))
}

/** Null where help was asked for. */
function parseCall(words: readonly string[]): Call | null {
  const { values, positionals } = parseWords(words)
  if (values.help) return null
  const timeZone = values.zone ?? null
  if (timeZone !== null && !isTimeZone(timeZone)) {
    throw new UsageError(`--zone: ${timeZone} is not a time zone.`)
  }
  const policies = [values.policy, ...(values.compare === undefined ? [] : [values.compare])]
  return { source: sourceOf(values, positionals), policies, timeZone, json: values.json }
}

function sourceOf(
  { ledger, account, days }: { ledger?: string; account?: string; days?: string },
  paths: readonly string[],
): Call['source'] {
  const [path, ...more] = paths
  if (ledger === undefined) {
    if (account !== undefined || days !== undefined) {
      throw new UsageError('--account and --days choose posts of a ledger; --ledger is missing.')
    }
    if (path === undefined) {
      throw new UsageError('backtest needs a file or folder of recorded posts, or a --ledger.')
    }
    if (more.length > 0) {
      throw new UsageError(`backtest takes one file or folder, not ${more[0]} too.`)
    }
    return { kind: 'files', path }
  }
  if (path !== undefined) throw new UsageError(`backtest takes ${path} or a --ledger, not both.`)
  return { kind: 'ledger', address: ledger, account: account ?? null, days: daysIn(days) }
}

function daysIn(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new UsageError(`--days: ${text} is not a number of days, such as 30.`)
}

async function read({ source, timeZone }: Call, terminal: Terminal): Promise<Recordings> {
  if (source.kind === 'files') {
    const options = { timeZone: timeZone ?? 'UTC' }
    return { posts: await readRecordings(source.path), options }
  }
  const { readFromLedger } = await import('./backtest-ledger.ts')
  const { posts, since, timeZoneOf } = await readFromLedger(source, terminal)
  const options = { timeZone: timeZone ?? timeZoneOf, ...(since === null ? {} : { since }) }
  return { posts, options }
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        policy: { type: 'string', default: 'standard' },
        compare: { type: 'string' },
        zone: { type: 'string' },
        ledger: { type: 'string' },
        account: { type: 'string' },
        days: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function replay(
  { posts, options }: Recordings,
  policy: Policy,
  { stderr }: Terminal,
): BacktestReport {
  const bar = new ProgressBar(stderr, `${policy.name}@${policy.version}`)
  try {
    return backtest(posts, policy, { ...options, onProgress: (done, all) => bar.show(done, all) })
  } finally {
    bar.clear()
  }
}

function toPage(reports: readonly BacktestReport[]): string {
  const [first, second] = reports
  const pages = reports.map(describeReport)
  if (first !== undefined && second !== undefined) {
    pages.push(describeComparison(compareReports(first, second)))
  }
  return `${pages.join('\n\n')}\n`
}

function toJson(reports: readonly BacktestReport[]): string {
  const [first, second] = reports
  const comparison =
    first === undefined || second === undefined ? null : compareReports(first, second)
  return `${JSON.stringify({ reports, comparison })}\n`
}
