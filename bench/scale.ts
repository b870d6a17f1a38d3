/**
 * Measures many workers on one Postgres.
 *
 *   npm run bench:scale -- [--json] [--write] [--posts n] [--runs n] [--sweep n] [--folder path]
 *
 * How many posts 1, 2 and 4 workers look at in a second, and how many actions they carry out from
 * reading to answer, each against the same work by bare pg-boss jobs, in turn, some times over, of
 * which the run with the middle ratio is shown; how long it takes from the reading that shows a
 * stall to the send; one sweep over a million watched posts by two workers.
 * Workers are processes of their own. The server flushes every commit, on the disk, under
 * node_modules/.cache unless a folder is given. With a million posts it takes about 20 minutes and
 * 4 GB; `--sweep` makes it smaller, and 0 leaves it out. `--write` puts the figures in their
 * section of docs/benchmarks.md.
 */

import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { openQueue } from '../src/engine/delivery/queue.ts'
import { openSharedLedger } from '../src/ledger/open-ledger.ts'
import { connectOnce } from '../src/ledger/postgres/pg.ts'
import { startPostgres } from '../test/support/postgres.ts'
import type { TestPostgres } from '../test/support/postgres.ts'
import { makeFolder } from './folder.ts'
import { writeSection, wordMachine } from './report.ts'
import { describeMachine } from './ledger/machine.ts'
import type { Machine } from './ledger/machine.ts'
import { timeBare } from './scale/bare.ts'
import { timeCrew } from './scale/crew.ts'
import type { CrewTime } from './scale/crew.ts'
import { fill } from './scale/fill.ts'

/** Of one run, ours and theirs. */
interface Run {
  readonly perSecond: number
  readonly barePerSecond: number
  readonly ratio: number
}

/** The run with the middle ratio, and all of the ratios from the lowest on. */
interface RateFigure extends Run {
  readonly workers: number
  readonly ratios: readonly number[]
}

interface Report {
  readonly machine: Machine
  readonly checks: readonly RateFigure[]
  readonly actions: readonly (RateFigure & { readonly latencyMs: Latency })[]
  readonly sweep: SweepFigure | null
}

/** From the reading that showed the stall to the send. */
interface Latency {
  readonly p50: number
  readonly p99: number
}

interface SweepFigure {
  readonly posts: number
  readonly workers: number
  readonly seconds: number
  readonly peakBytes: number
}

const goals = { ratio: 0.5, sweepSeconds: 120 } as const
/** As docs/operating.md advises for a ledger of this size; the bare jobs run on the same server. */
const serverSettings = {
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  checkpoint_timeout: '15min',
  wal_compression: 'on',
}
const crews = [1, 2, 4]
const sweepCrew = 2
const concurrency = 32
/** One action for so many looks: it takes longer. Starting up is to count for little in both. */
const actionShare = 20

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      posts: { type: 'string', default: '200000' },
      runs: { type: 'string', default: '3' },
      sweep: { type: 'string', default: '1000000' },
      folder: { type: 'string', default: 'node_modules/.cache/secondwind-bench' },
    },
  })
  const posts = Number(values.posts)
  const runs = Number(values.runs)
  const sweepPosts = Number(values.sweep)
  const folder = makeFolder(values.folder)
  const server = await startPostgres({ durable: true, settings: serverSettings })
  try {
    const machine = describeMachine(folder)
    const checks: Report['checks'][number][] = []
    const actions: Report['actions'][number][] = []
    for (const workers of crews) {
      const stalled = Math.ceil(posts / actionShare)
      checks.push(await measure(workers, runs, () => measureChecks(server, workers, posts)))
      actions.push(await measure(workers, runs, () => measureActions(server, workers, stalled)))
    }
    const sweep = sweepPosts > 0 ? await measureSweep(server, sweepPosts) : null
    const report: Report = { machine, checks, actions, sweep }
    if (values.write) writeSection('scale', toMarkdown(report))
    console.log(values.json ? JSON.stringify(report) : describe(report))
  } finally {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Runs a crew over a ledger that was filled for it, until a count in the ledger is reached. */
async function runCrew(
  connectionString: string,
  workers: number,
  crowd: { readonly posts: number; readonly hasLooks: boolean },
  countDone: string,
): Promise<CrewTime> {
  const queue = await openQueue({ connectionString, looksAfter: false, connections: 1 })
  const { ledger } = await openSharedLedger({ connectionString, jobWriter: queue.writer })
  await fill(ledger, connectionString, { accounts: 100, ...crowd })
  await ledger[Symbol.asyncDispose]()
  await queue[Symbol.asyncDispose]()
  const engagements = crowd.hasLooks ? 50_000 : 0
  const client = await connectOnce(connectionString)
  try {
    return await timeCrew(workers, { connectionString, engagements, concurrency }, async () => {
      const { rows } = await client.query({ text: countDone, rowMode: 'array' })
      return Number(rows[0]?.[0]) === 0
    })
  } finally {
    await client.end()
  }
}

/** Whether a job is left to be done, or else a post to be handed out. Costs next to nothing. */
const undone = `select case
  when exists (select from secondwind_jobs.job where state < 'completed') then 1
  when exists (select from secondwind.checks
    where at <= extract(epoch from clock_timestamp()) * 1000) then 1 else 0 end`

async function measure<Figure extends Run>(
  workers: number,
  runs: number,
  run: () => Promise<Figure>,
): Promise<Figure & RateFigure> {
  const figures: Figure[] = []
  for (let count = 0; count < Math.max(1, runs); count += 1) figures.push(await run())
  figures.sort((a, b) => a.ratio - b.ratio)
  const middle = figures[Math.floor((figures.length - 1) / 2)] as Figure
  return { ...middle, workers, ratios: figures.map((each) => each.ratio) }
}

async function measureChecks(server: TestPostgres, workers: number, posts: number): Promise<Run> {
  const connectionString = await server.freshDatabase()
  const { seconds } = await runCrew(connectionString, workers, { posts, hasLooks: true }, undone)
  const bare = await server.freshDatabase()
  const bareSeconds = await timeBare(workers, {
    connectionString: bare,
    kind: 'checks',
    posts,
    concurrency,
  })
  return rateOf(posts, seconds, bareSeconds)
}

async function measureActions(
  server: TestPostgres,
  workers: number,
  posts: number,
): Promise<Run & { readonly latencyMs: Latency }> {
  const connectionString = await server.freshDatabase()
  const crowd = { posts, hasLooks: false }
  const { seconds } = await runCrew(connectionString, workers, crowd, undone)
  const latencyMs = await readLatency(connectionString)
  const bare = await server.freshDatabase()
  const bareSeconds = await timeBare(workers, {
    connectionString: bare,
    kind: 'actions',
    posts,
    concurrency,
  })
  return { ...rateOf(posts, seconds, bareSeconds), latencyMs }
}

function rateOf(posts: number, seconds: number, bareSeconds: number): Run {
  const perSecond = posts / seconds
  const barePerSecond = posts / bareSeconds
  return { perSecond, barePerSecond, ratio: perSecond / barePerSecond }
}

async function readLatency(connectionString: string): Promise<Latency> {
  const client = await connectOnce(connectionString)
  try {
    const { rows } = await client.query({
      text: `select percentile_disc(array[0.5, 0.99]) within group (order by t.started_at - s.at)
        from secondwind.attempts t join secondwind.actions a on a.id = t.action_id
        cross join lateral (select max(at) as at from secondwind.samples
          where post_id = a.post_id and at <= t.started_at) s`,
      rowMode: 'array',
    })
    const [p50 = 0, p99 = 0] = (rows[0]?.[0] ?? []) as readonly number[]
    return { p50, p99 }
  } finally {
    await client.end()
  }
}

async function measureSweep(server: TestPostgres, posts: number): Promise<SweepFigure> {
  const connectionString = await server.freshDatabase()
  const crowd = { posts, hasLooks: true }
  const { seconds, ends } = await runCrew(connectionString, sweepCrew, crowd, undone)
  const peakBytes = Math.max(...ends.map((end) => end.peakBytes))
  return { posts, workers: sweepCrew, seconds, peakBytes }
}

const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const ratio = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })

function describe({ machine, checks, actions, sweep }: Report): string {
  return [
    `${machine.date}, ${machine.processor}, ${machine.cores} cores, ${machine.system}, ` +
      `Node ${machine.node}, load at the beginning ${ratio.format(machine.load)}`,
    'posts looked at, a second',
    ...checks.map(describeRate),
    'actions from reading to answer, a second',
    ...actions.map(
      (figure) =>
        `${describeRate(figure)}; from reading to send ${count.format(figure.latencyMs.p50)} ms ` +
        `for half of them, ${count.format(figure.latencyMs.p99)} ms for 99 %`,
    ),
    ...(sweep === null ? [] : [wordSweep(sweep)]),
  ].join('\n')
}

function toMarkdown({ machine, checks, actions, sweep }: Report): string {
  const row = (figure: RateFigure) =>
    `| ${figure.workers} | ${count.format(figure.perSecond)} | ` +
    `${count.format(figure.barePerSecond)} | ${wordRatio(figure)} |`
  return [
    '## Many workers on one Postgres',
    '',
    'Workers are processes on the same cores as the server, and each commit is flushed. Beside',
    'them, in the same run, bare pg-boss jobs do the same work: they read posts with their latest',
    'readings, ask the network, store the reading, what was found and when to look next, and note',
    'each send before and after it. They know no guards, budgets, leases, approvals, holdout,',
    'traces or events: `bench/scale/bare.ts`. The goal is half of their rate. Both run in turn,',
    'some times over; the run with the middle ratio is shown, and the lowest and highest ratio.',
    'The server is set up as [operating](operating.md#postgres) advises:',
    `${wordSettings()}.`,
    '',
    wordMachine(machine),
    '',
    'Posts looked at, a second: read, decided on, stored.',
    '',
    '| workers | Second Wind | bare pg-boss | ratio |',
    '| ---: | ---: | ---: | ---: |',
    ...checks.map(row),
    '',
    'Actions a second, from the reading that shows the stall to the settled answer; and how long',
    'it takes from that reading to the send, while all posts stall at once.',
    '',
    '| workers | Second Wind | bare pg-boss | ratio | half within | 99 % within |',
    '| ---: | ---: | ---: | ---: | ---: | ---: |',
    ...actions.map(
      (figure) =>
        `${row(figure)} ${count.format(figure.latencyMs.p50)} ms | ` +
        `${count.format(figure.latencyMs.p99)} ms |`,
    ),
    '',
    ...(sweep === null ? [] : [`${wordSweep(sweep)}.`, '']),
    'To repeat it: `npm run bench:scale -- --write`.',
  ].join('\n')
}

function wordSettings(): string {
  return Object.entries(serverSettings)
    .map(([name, value]) => `\`${name} = ${value}\``)
    .join(', ')
}

function wordSweep({ posts, workers, seconds, peakBytes }: SweepFigure): string {
  return (
    `One look at each of ${count.format(posts)} watched posts by ${workers} workers takes ` +
    `${count.format(seconds)} s (goal: under ${goals.sweepSeconds} s), with at most ` +
    `${count.format(peakBytes / 1e6)} MB for a worker (goal: under 512 MB)`
  )
}

function describeRate(figure: RateFigure): string {
  const { workers, perSecond, barePerSecond } = figure
  return (
    `  ${workers} ${workers === 1 ? 'worker ' : 'workers'} ${count.format(perSecond)}, ` +
    `bare pg-boss ${count.format(barePerSecond)}: ${wordRatio(figure)} ` +
    `(goal at least ${goals.ratio}${figure.ratio >= goals.ratio ? '' : ', not reached'})`
  )
}

function wordRatio({ ratio: middle, ratios }: RateFigure): string {
  const [lowest = middle, highest = middle] = [ratios[0], ratios.at(-1)]
  const range = `${ratio.format(lowest)}–${ratio.format(highest)}`
  return lowest === highest ? ratio.format(middle) : `${ratio.format(middle)} (${range})`
}

await main()
