/** One worker of the bare kind: works until both queues are empty. */

import { PgBoss } from 'pg-boss'
import { inParallel } from '../../src/engine/in-parallel.ts'
import { toArray } from '../../src/ledger/postgres/columns.ts'
import { createPool } from '../../src/ledger/postgres/pg.ts'
import type { Value } from '../../src/ledger/postgres/pg.ts'
import type { BareOrder } from './bare.ts'

const { connectionString, kind, concurrency } = JSON.parse(process.argv[2] ?? '{}') as BareOrder
const boss = new PgBoss({ connectionString, schema: 'bare', schedule: false, supervise: false })
await boss.start()
const pool = createPool({ connectionString, max: 6 })

interface Job {
  readonly id: string
  readonly retryCount: number
  readonly data: { readonly id: string }
}

const statements = {
  look: `with stored as (insert into bare_samples
      select id, $2, 100000, 50000 from unnest($1::text[]) as v (id) on conflict do nothing)
    update bare_posts p set next_check_at = $2 + 600000
    from unnest($1::text[]) as v (id) where p.id = v.id`,
  plan: `insert into bare_actions select id, 'planned', null
    from unnest($1::text[]) as v (id) on conflict do nothing`,
  begin: `update bare_actions set state = 'sending' where id = $1 and state = 'planned'`,
  end: `update bare_actions set state = 'done', done_at = $2 where id = $1`,
}

async function run(name: keyof typeof statements, ...values: readonly Value[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query({ name, text: statements[name], values })
  } finally {
    client.release()
  }
}

/** Reads a hundred posts at once; where they stall, each gets an action. */
async function check(jobs: readonly Job[]): Promise<void> {
  const ids = jobs.map(({ data }) => data.id)
  await run('look', toArray(ids), Date.now())
  if (kind === 'checks') return
  await run('plan', toArray(ids))
  await boss.insert(
    'actions',
    ids.map((id) => ({ data: { id }, singletonKey: id })),
  )
}

/** What it is about to send is written before, so that a crash does not send it twice. */
async function act({ data: { id } }: Job): Promise<void> {
  await run('begin', id)
  await run('end', id, Date.now())
}

async function take(queue: 'checks' | 'actions', size: number): Promise<number> {
  const jobs = await boss.fetch<Job['data']>(queue, { batchSize: size })
  if (jobs.length === 0) return 0
  if (queue === 'checks') await check(jobs)
  else await inParallel(jobs, concurrency, act)
  await boss.complete(
    queue,
    jobs.map(({ id, retryCount }) => ({ id, retryCount })),
  )
  return jobs.length
}

async function work(): Promise<void> {
  while ((await take('actions', 100)) + (await take('checks', 100)) > 0);
  process.send?.('done')
  await pool.end()
  await boss.stop({ graceful: false })
  process.disconnect()
}

process.once('message', () => void work())
process.send?.('ready')
