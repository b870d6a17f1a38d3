/** One worker of the bare kind: works until both queues are empty. */

import { PgBoss } from 'pg-boss'
import { hourMs } from '../../src/core/duration.ts'
import { measurementHorizonsMs } from '../../src/ledger/steps/plan.ts'
import { inParallel } from '../../src/engine/in-parallel.ts'
import { toArray } from '../../src/ledger/postgres/columns.ts'
import { createPool } from '../../src/ledger/postgres/pg.ts'
import type { PoolClient, Value } from '../../src/ledger/postgres/pg.ts'
import { stillContent, StillNetwork } from '../../test/builders/still-network.ts'
import type { BareOrder } from './bare.ts'

const { connectionString, kind, concurrency } = JSON.parse(process.argv[2] ?? '{}') as BareOrder
const boss = new PgBoss({ connectionString, schema: 'bare', schedule: false, supervise: false })
await boss.start()
const pool = createPool({ connectionString, max: 6 })
const network = new StillNetwork(() => Date.now())

interface Job {
  readonly id: string
  readonly retryCount: number
  readonly data: { readonly id: string }
}

interface Post {
  readonly id: string
  readonly remoteId: string
  readonly samples: readonly (readonly [at: number, impressions: number, engagements: number])[]
}

const statements = {
  readPosts: `select json_build_object('id', p.id, 'remoteId', p.remote_id, 'samples', (
      select json_agg(json_build_array(s.at, s.impressions, s.engagements) order by s.at)
      from bare_samples s where s.post_id = p.id and s.at >= $2))
    from bare_posts p where p.id = any($1::text[])`,
  look: `with v as materialized (select * from unnest($1::text[], $2::text[], $3::float8[])
        as v (id, kind, score)),
      stored as (insert into bare_samples select id, $4::float8, 100000, $5::float8 from v
        on conflict do nothing),
      found as (insert into bare_verdicts select id, $4::float8, kind, score from v
        on conflict do nothing)
    update bare_posts p set next_check_at = $4::float8 + 600000 from v where p.id = v.id`,
  plan: `with planned as (insert into bare_actions
        select id, id, 'a', $2, 'planned', null, null from unnest($1::text[]) as v (id)
        on conflict do nothing)
    insert into bare_measurements select v.id, h.ms, $3::float8 + h.ms
      from unnest($1::text[]) as v (id) cross join unnest($4::float8[]) as h (ms)
      on conflict do nothing`,
  readAction: `select json_build_object('text', a.text, 'state', a.state, 'remoteId', p.remote_id)
    from bare_actions a join bare_posts p on p.id = a.post_id where a.id = $1`,
  begin: `update bare_actions set state = 'sending' where id = $1 and state = 'planned'`,
  attempt: `insert into bare_attempts values ($1, $2, $3, null, null)`,
  end: `update bare_actions set state = 'done', done_at = $2, remote_id = $3 where id = $1`,
  answer: `update bare_attempts set ended_at = $2, result = 'landed' where id = $1`,
}

type Name = keyof typeof statements

async function query(client: PoolClient, name: Name, ...values: readonly Value[]) {
  const { rows } = await client.query({ name, text: statements[name], values, rowMode: 'array' })
  return rows.map((row) => row[0])
}

async function withClient<R>(run: (client: PoolClient) => Promise<R>): Promise<R> {
  const client = await pool.connect()
  try {
    return await run(client)
  } finally {
    client.release()
  }
}

function inTransaction(run: (client: PoolClient) => Promise<unknown>): Promise<void> {
  return withClient(async (client) => {
    await client.query({ text: 'begin' })
    await run(client)
    await client.query({ text: 'commit' })
  })
}

/** Looks at a hundred posts at once; where they stall, each gets an action. */
async function check(jobs: readonly Job[]): Promise<void> {
  const ids = jobs.map(({ data }) => data.id)
  const posts = (await withClient((client) =>
    query(client, 'readPosts', toArray(ids), Date.now() - 2 * hourMs),
  )) as readonly Post[]
  const at = await network.read(posts.map(({ remoteId }) => remoteId))
  const engagements = kind === 'checks' ? 50_000 : 0
  const scores = posts.map(({ samples }) => {
    const [, shownBefore, engagedBefore] = samples[0] ?? [0, 0, 0]
    return 1 - (engagements - engagedBefore) / Math.max(1, 100_000 - shownBefore)
  })
  const kinds = scores.map((score) => (score > 0.6 ? 'stalled' : 'healthy'))
  const columns = [toArray(posts.map(({ id }) => id)), toArray(kinds), toArray(scores)]
  await withClient((client) => query(client, 'look', ...columns, at, engagements))
  const stalled = posts.filter((_, index) => kinds[index] === 'stalled').map(({ id }) => id)
  if (stalled.length === 0) return
  const { text } = await stillContent.write()
  const horizons = toArray([...measurementHorizonsMs])
  await withClient((client) => query(client, 'plan', toArray(stalled), text, at, horizons))
  await boss.insert(
    'actions',
    stalled.map((id) => ({ data: { id }, singletonKey: id })),
  )
}

/** What it is about to send is written before, so that a crash does not send it twice. */
async function act({ id: attemptId, data: { id } }: Job): Promise<void> {
  const [action] = (await withClient((client) => query(client, 'readAction', id))) as readonly {
    readonly state: string
  }[]
  if (action?.state !== 'planned') return
  await inTransaction(async (client) => {
    await query(client, 'begin', id)
    await query(client, 'attempt', attemptId, id, Date.now())
  })
  await network.write(id)
  await inTransaction(async (client) => {
    await query(client, 'end', id, Date.now(), id)
    await query(client, 'answer', attemptId, Date.now())
  })
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
