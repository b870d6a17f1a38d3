/**
 * The same work by bare pg-boss, as one would write it without Second Wind: a job for each post,
 * taken a hundred at a time, whose handler stores the readings and when to look next, and plans an
 * action for a post that stalls; and a job for each action, whose handler notes that it sends, and
 * that it has sent. No guard, no decision, no lease, no verdict, no event: what it leaves out is
 * what is compared.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'

export interface BareOrder {
  readonly connectionString: string
  readonly kind: 'checks' | 'actions'
  readonly posts: number
  readonly concurrency: number
}

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
    await client.query({
      text: `create table bare_posts (id text primary key, next_check_at float8 not null);
        create index on bare_posts (next_check_at);
        create table bare_samples (post_id text, at float8, impressions float8, engagements float8,
          primary key (post_id, at));
        create table bare_actions (id text primary key, state text not null, done_at float8);
        insert into bare_posts select 'p-' || n, 0 from generate_series(0, ${posts - 1}) n`,
    })
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
