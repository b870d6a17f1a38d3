/**
 * The same work by bare pg-boss, as one would write it without Second Wind. A job for each post,
 * taken a hundred at a time: it reads the posts with their readings of the last two hours, asks the
 * network, and stores the new reading, what was found and when to look next; a post that stalls
 * gets an action, with its text and when to measure it. A job for each action: it reads the action,
 * notes that it sends before it does, and what came of it after.
 *
 * What it keeps is what a person would want to see later. What it leaves out is what is compared:
 * guards, tiers, budgets, leases and fencing, approvals, holdout, the trace of each decision,
 * events, and the law by which the database itself refuses a second send.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import { agesMs } from './fill.ts'

export interface BareOrder {
  readonly connectionString: string
  readonly kind: 'checks' | 'actions'
  readonly posts: number
  readonly concurrency: number
}

const accounts = 100

export async function timeBare(size: number, order: BareOrder): Promise<number> {
  const { PgBoss } = await import('pg-boss')
  const { connectionString, posts } = order
  const boss = new PgBoss({ connectionString, schema: 'bare', schedule: false, supervise: false })
  await boss.start()
  for (const queue of ['checks', 'actions']) {
    await boss.createQueue(queue, { policy: 'exclusive', retryLimit: 0, heartbeatSeconds: 60 })
  }
  const client = await connectOnce(connectionString)
  try {
    await client.query({ text: tables })
    await client.query({ text: fillTables(order) })
    for (let from = 0; from < posts; from += 1000) {
      const batch = Array.from({ length: Math.min(1000, posts - from) }, (_, index) => {
        const id = `p-${from + index}`
        return { data: { id }, singletonKey: id }
      })
      await boss.insert('checks', batch)
    }
    await client.query({ text: 'vacuum analyze' })
    const script = new URL('./bare-worker.ts', import.meta.url)
    const workers = Array.from({ length: size }, () => fork(script, [JSON.stringify(order)]))
    await Promise.all(workers.map((worker) => once(worker, 'message')))
    const ended = workers.map((worker) => once(worker, 'exit'))
    const start = performance.now()
    for (const worker of workers) worker.send('start')
    await Promise.all(workers.map((worker) => once(worker, 'message')))
    const seconds = (performance.now() - start) / 1000
    await Promise.all(ended)
    return seconds
  } finally {
    await client.end()
    await boss.stop({ graceful: false })
  }
}

const tables = `
  create table bare_posts (id text primary key, account text not null, remote_id text not null,
    text text not null, published_at float8 not null, next_check_at float8 not null);
  create index on bare_posts (next_check_at);
  create table bare_samples (post_id text, at float8, impressions float8, engagements float8,
    primary key (post_id, at));
  create table bare_verdicts (post_id text, at float8, kind text not null, score float8 not null,
    primary key (post_id, at));
  create table bare_actions (id text primary key, post_id text not null, account text not null,
    text text not null, state text not null, remote_id text, done_at float8);
  create index on bare_actions (post_id);
  create index on bare_actions (state);
  create table bare_attempts (id text primary key, action_id text not null,
    started_at float8 not null, ended_at float8, result text);
  create index on bare_attempts (action_id);
  create table bare_measurements (post_id text, horizon_ms float8, due_at float8 not null,
    primary key (post_id, horizon_ms));
  create index on bare_measurements (due_at)`

/** As many rows as the ledger begins with. */
function fillTables({ posts, kind }: BareOrder): string {
  const now = Date.now()
  const isWell = kind === 'checks'
  const series = `generate_series(0, ${posts - 1}) n`
  const samples = agesMs.map((ageMs, index) => {
    const shown = (index + 1) * 10_000
    return `insert into bare_samples
      select 'p-' || n, ${now - ageMs}, ${shown}, ${isWell ? shown / 2 : 0} from ${series}`
  })
  return [
    `insert into bare_posts select 'p-' || n, 'a-' || n % ${accounts}, 'p-' || n, 'A post.',
      ${now - 6 * hourMs}, 0 from ${series}`,
    ...samples,
    ...(isWell
      ? [
          `insert into bare_verdicts
            select 'p-' || n, ${now - 30 * minuteMs}, 'healthy', 0 from ${series}`,
        ]
      : []),
  ].join(';')
}
