/** One worker of the bare kind: works until the queue is empty. */

import { PgBoss } from 'pg-boss'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import { toArray } from '../../src/ledger/postgres/columns.ts'
import type { BareOrder } from './bare.ts'

const { connectionString, kind } = JSON.parse(process.argv[2] ?? '{}') as BareOrder
const boss = new PgBoss({ connectionString, schema: 'bare', schedule: false, supervise: false })
await boss.start()
const client = await connectOnce(connectionString)

const statements = {
  checks: `with stored as (insert into bare_samples
      select id, $2, 100000, 50000 from unnest($1::text[]) as v (id) on conflict do nothing)
    update bare_posts p set next_check_at = $2 + 600000
    from unnest($1::text[]) as v (id) where p.id = v.id`,
  actions: `update bare_actions a set done_at = $2
    from unnest($1::text[]) as v (id) where a.id = v.id`,
}

async function work(): Promise<void> {
  for (;;) {
    const jobs = await boss.fetch<{ readonly id: string }>('bare', { batchSize: 100 })
    if (jobs.length === 0) break
    // A check reads a hundred posts at once. An action is noted by itself, when it was sent.
    const size = kind === 'checks' ? jobs.length : 1
    for (let from = 0; from < jobs.length; from += size) {
      const ids = jobs.slice(from, from + size).map(({ data }) => data.id)
      await client.query({
        name: kind,
        text: statements[kind],
        values: [toArray(ids), Date.now()],
      })
    }
    await boss.complete(
      'bare',
      jobs.map(({ id, retryCount }) => ({ id, retryCount })),
    )
  }
  process.send?.('done')
  await client.end()
  await boss.stop({ graceful: false })
  process.disconnect()
}

process.once('message', () => void work())
process.send?.('ready')
