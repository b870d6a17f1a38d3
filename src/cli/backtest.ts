/** The command `backtest`: replays one policy, or two side by side, over recorded posts. */

import { parseArgs } from 'node:util'
import type { Policy } from '../core/policy.ts'
import { backtest } from '../engine/backtest.ts'
import { compareReports } from '../engine/backtest/compare.ts'
import type { BacktestReport } from '../engine/backtest/report.ts'
import type { RecordedPost } from '../engine/backtest/recorded-post.ts'
import { describeComparison, describeReport } from './backtest-page.ts'
import { ProgressBar } from './progress-bar.ts'
import { readPolicy, readRecordings } from './recordings.ts'
import { UsageError } from './terminal.ts'
import type { Terminal } from './terminal.ts'

export const backtestUsage =
  'backtest <file|folder> [--policy <policy>] [--compare <policy>] [--zone <zone>] [--json]'

const help = `usage: secondwind ${backtestUsage}

Replays a policy over recorded posts, without any network.

  <file|folder>      .csv or .json files, also packed as .gz
  --policy <policy>  standard (unless said otherwise), classic, or a .json file
  --compare <policy> a second policy to hold beside it
  --zone <zone>      the time zone for quiet hours, such as Europe/Paris; UTC unless said otherwise
  --json             one JSON object, with what would have been done to each post

A .csv file has a post a line: its engagements every 20 minutes in TS1…TS144, its impressions, if
known, in IMP1…IMP144; -1 is "not observed". The columns id, account and publishedAt may be there.
Without publishedAt posts are taken to be 48 h apart, in the order of the file.

A .json file is a list of posts:
  [{ "id": "1", "publishedAt": "2026-01-01T12:00:00Z", "account": "ann",
     "samples": [{ "at": "2026-01-01T12:20:00Z", "engagements": 3, "impressions": 120 }] }]
`

interface Call {
  readonly path: string
  readonly policies: readonly string[]
  readonly timeZone: string
  readonly json: boolean
}

export async function backtestCommand(words: readonly string[], terminal: Terminal): Promise<void> {
  const call = parseCall(words)
  if (call === null) {
    terminal.stdout.write(help)
    return
  }
  const policies: Policy[] = []
  for (const name of call.policies) policies.push(await readPolicy(name))
  const posts = await readRecordings(call.path)
  const reports = policies.map((policy) => replay(posts, policy, call.timeZone, terminal))
  terminal.stdout.write(call.json ? toJson(reports) : toPage(reports))
}

/** Null where help was asked for. */
function parseCall(words: readonly string[]): Call | null {
  const { values, positionals } = parseWords(words)
  if (values.help) return null
  const [path, ...more] = positionals
  if (path === undefined) throw new UsageError('backtest needs a file or folder of recorded posts.')
  if (more.length > 0)
    throw new UsageError(`backtest takes one file or folder, not ${more[0]} too.`)
  if (!isZone(values.zone)) throw new UsageError(`--zone: ${values.zone} is not a time zone.`)
  const policies = [values.policy, ...(values.compare === undefined ? [] : [values.compare])]
  return { path, policies, timeZone: values.zone, json: values.json }
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}

function parseWords(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        policy: { type: 'string', default: 'standard' },
        compare: { type: 'string' },
        zone: { type: 'string', default: 'UTC' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    })
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function replay(
  posts: readonly RecordedPost[],
  policy: Policy,
  timeZone: string,
  { stderr }: Terminal,
): BacktestReport {
  const bar = new ProgressBar(stderr, `${policy.name}@${policy.version}`)
  try {
    return backtest(posts, policy, { timeZone, onProgress: (done, all) => bar.show(done, all) })
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
