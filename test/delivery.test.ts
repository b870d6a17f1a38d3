/** Workers that a queue tells what is due, on a real Postgres. */

import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toActionId } from '../src/core/index.ts'
import type { ActionRow, Ledger } from '../src/ledger/index.ts'
import { openSharedLedger } from '../src/ledger/open-ledger.ts'
import type { SharedLedger } from '../src/ledger/open-ledger.ts'
import { createDistributedEngine } from '../src/engine/delivery/distributed-engine.ts'
import type { DistributedEngineOptions } from '../src/engine/delivery/distributed-engine.ts'
import type { DistributedEngine } from '../src/engine/delivery/distributed-engine.ts'
import type { WorkerJob } from '../src/engine/delivery/job-format.ts'
import { listWorkers, readDeliveryState } from '../src/engine/delivery/presence.ts'
import { openQueue } from '../src/engine/delivery/queue.ts'
import type { Queue } from '../src/engine/delivery/queue.ts'
import { systemClock, systemRandom } from '../src/system.ts'
import {
  addStillAccount,
  addStillPosts,
  connectStill,
  stillContent,
  StillNetwork,
} from './builders/still-network.ts'
import { freshDatabase } from './support/postgres.ts'

let connectionString: string
let queue: Queue
let shared: SharedLedger
let ledger: Ledger
let network: StillNetwork
let workers: DistributedEngine[]
const problems: unknown[] = []

beforeEach(async () => {
  connectionString = await freshDatabase()
  problems.length = 0
  workers = []
  queue = await openQueue({ connectionString, onProblem: (error) => problems.push(error) })
  shared = await openSharedLedger({ connectionString, jobWriter: queue.writer })
  ledger = shared.ledger
  network = new StillNetwork(() => systemClock.now())
})

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await queue[Symbol.asyncDispose]()
  await ledger[Symbol.asyncDispose]()
})

function startWorker(changes: Partial<DistributedEngineOptions> = {}): DistributedEngine {
  const worker = createDistributedEngine({
    ledger,
    handingOut: shared.handingOut,
    queue,
    platforms: [connectStill(network)],
    clock: systemClock,
    random: systemRandom,
    content: stillContent,
    concurrency: 4,
    host: 'here',
    version: '0.0.0',
    onProblem: (problem) => problems.push(problem),
    ...changes,
  })
  workers.push(worker)
  void worker.start()
  return worker
}

/** Long before the test's own time is over, so that it can say what went wrong. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (await isSo()) return
    await systemClock.sleep(20)
  }
  throw new Error('It did not come about', { cause: problems })
}

const names = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(4, '0')}`)

function listActions(): Promise<readonly ActionRow[]> {
  return ledger.listActions({}, { after: null, limit: 500 })
}

/** Plans an action by looking at a post, with no worker there to hear of it. */
async function planOne(mode: 'auto' | 'approve'): Promise<ActionRow> {
  const account = await addStillAccount(ledger, 'ann', { mode })
  await addStillPosts(ledger, account, ['post'])
  const worker = startWorker({ queue: { ...queue, take: (count) => takeChecks(count) } })
  await until(async () => (await listActions()).length === 1)
  await worker.stop()
  const [row] = await listActions()
  if (row === undefined) throw new Error('It was not planned')
  return row
}

/** All else is put back for others. */
async function takeChecks(count: number) {
  const taken = await queue.take(count, null)
  const others = taken.filter(({ job }) => job?.kind !== 'check')
  await queue.complete(others)
  await queue.send(others.map(({ job }) => job).filter((job) => job !== null))
  return taken.filter(({ job }) => job?.kind === 'check')
}

describe('workers on one Postgres', () => {
  test('look at every post once and answer each that stalls once', async () => {
    const posts = 120
    for (const handle of ['ann', 'bob', 'cid']) {
      const account = await addStillAccount(ledger, handle)
      await addStillPosts(ledger, account, names(handle, posts / 3))
    }
    startWorker()
    startWorker()
    await until(async () => network.writes.size === posts)
    await until(async () => (await listActions()).every(({ state }) => state === 'success'))
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(Math.max(...network.writes.values())).toBe(1)
    expect(network.reads).toBe(posts)
    expect(problems).toEqual([])
  })

  test('a plan and its job are one transaction', async () => {
    const row = await planOne('auto')
    const taken = await queue.take(10, null)
    expect(taken.map(({ job }) => job)).toEqual([sendJob(row)])
  })

  test('an approval sends the job, ahead of everything that nobody waits for', async () => {
    const row = await planOne('approve')
    expect(await queue.take(10, null)).toEqual([])
    await queue.send([{ kind: 'discover', accountId: row.accountId, at: 1 }])
    await ledger.decide({
      actionId: row.id,
      by: 'ann',
      decision: { kind: 'approve', textHash: row.textHash, graceMs: 0, expiresAfterMs: 60_000 },
    })
    const approved = await ledger.getAction(row.id)
    const taken = await queue.take(10, null)
    expect(taken.map(({ job }) => job?.kind)).toEqual(['send', 'discover'])
    expect(taken[0]?.job).toMatchObject({ version: approved?.version, state: 'approved' })
  })

  test('a job that was lost is found again by the sweep', async () => {
    await planOne('auto')
    await queue.complete(await queue.take(10, null))
    expect(network.writes.size).toBe(0)
    startWorker()
    await until(async () => network.writes.size === 1)
  })

  test('a job that comes twice does nothing the second time', async () => {
    const row = await planOne('auto')
    startWorker()
    await until(async () => (await ledger.getAction(row.id))?.state === 'success')
    const done = startWorker().counts().done
    await queue.send([sendJob(row)])
    await until(async () => workers.reduce((sum, worker) => sum + worker.counts().done, 0) > done)
    await until(async () => (await queue.countReady(10)) === 0)
    expect([...network.writes.values()]).toEqual([1])
    expect((await ledger.getAction(row.id))?.attempts).toBe(1)
  })

  test('a job of another version of the program is put aside', async () => {
    await queue.send([{ kind: 'dance', actionId: toActionId('a') } as unknown as WorkerJob])
    const worker = startWorker()
    await until(async () => worker.counts().done === 1)
    expect(problems).toEqual([])
  })

  test('a post that was handed out is not handed out again, until its time is over', async () => {
    const account = await addStillAccount(ledger, 'ann')
    await addStillPosts(ledger, account, names('ann', 5))
    const { handingOut } = shared
    expect(await handingOut.handOutChecks({ limit: 100, batch: 2, forMs: 60_000 })).toBe(5)
    expect(await handingOut.handOutChecks({ limit: 100, batch: 2, forMs: 60_000 })).toBe(0)
    const taken = await queue.take(10, null)
    const sizes = taken.map(({ job }) => (job?.kind === 'check' ? job.postIds.length : 0))
    expect(sizes.toSorted((a, b) => a - b)).toEqual([1, 2, 2])
  })

  test('a batch that lies too long is left to the one that comes after it', async () => {
    const account = await addStillAccount(ledger, 'ann')
    await addStillPosts(ledger, account, ['post'])
    await shared.handingOut.handOutChecks({ limit: 1, batch: 1, forMs: -1 })
    const worker = startWorker({ queue: { ...queue, countReady: async () => 1_000_000 } })
    await until(async () => worker.counts().done === 1)
    expect(network.reads).toBe(0)
  })

  test('stopping lets a send finish', async () => {
    const begun = Promise.withResolvers<void>()
    const go = Promise.withResolvers<void>()
    network.beforeWrite = async () => {
      begun.resolve()
      await go.promise
    }
    const row = await planOne('auto')
    const worker = startWorker()
    await begun.promise
    let hasStopped = false
    const stopped = worker.stop().then(() => (hasStopped = true))
    await systemClock.sleep(50)
    expect(hasStopped).toBe(false)
    go.resolve()
    await stopped
    expect((await ledger.getAction(row.id))?.state).toBe('success')
    expect(await queue.countReady(10)).toBe(0)
  })

  test('a worker has no more jobs than places, one of them for what is urgent', async () => {
    const asked: (readonly [number, number | null])[] = []
    const watched: Queue = {
      ...queue,
      take: (count, lowest) => {
        asked.push([count, lowest])
        return queue.take(count, lowest)
      },
    }
    for (const handle of names('account', 12)) {
      const account = await addStillAccount(ledger, handle)
      await addStillPosts(ledger, account, [`${handle}-post`])
    }
    let most = 0
    const worker = startWorker({ queue: watched, concurrency: 3 })
    const watching = setInterval(() => (most = Math.max(most, worker.counts().busy)), 1)
    await until(async () => network.writes.size === 12)
    clearInterval(watching)
    expect(most).toBeLessThanOrEqual(3)
    expect(Math.max(...asked.map(([count]) => count))).toBe(2)
    expect(asked.every(([, lowest]) => lowest === null || lowest >= 20)).toBe(true)
  })

  test('what was taken is done, also while the queue cannot be told what ended', async () => {
    for (const handle of names('account', 8)) {
      const account = await addStillAccount(ledger, handle)
      await addStillPosts(ledger, account, [`${handle}-post`])
    }
    let refusals = 3
    const deaf: Queue = {
      ...queue,
      complete: async (jobs) => {
        refusals -= 1
        if (refusals >= 0) throw new Error('not now')
        await queue.complete(jobs)
      },
    }
    const worker = startWorker({ queue: deaf })
    await until(async () => network.writes.size === 8 && refusals < 0)
    await worker.stop()
    expect(Math.max(...network.writes.values())).toBe(1)
    expect(network.reads).toBe(8)
    expect(problems).not.toEqual([])
    expect(await queue.countReady(10)).toBe(0)
  })

  test('workers are seen, and how far behind they are', async () => {
    startWorker({ host: 'one' })
    startWorker({ host: 'two' })
    await until(async () => (await listWorkers(ledger)).length === 2)
    await until(async () => (await readDeliveryState(ledger)) !== null)
    expect((await listWorkers(ledger)).map(({ host }) => host).toSorted()).toEqual(['one', 'two'])
    expect(await readDeliveryState(ledger)).toMatchObject({ ready: 0, checkMs: 0, actionMs: 0 })
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(await listWorkers(ledger)).toEqual([])
  })

  test('what fails for a reason of its own is left alone for a while, by all of them', async () => {
    const row = await planOne('auto')
    let calls = 0
    const broken = {
      ...connectStill(network),
      describe: () => {
        calls += 1
        throw new Error('broken')
      },
    }
    startWorker({ platforms: [broken] })
    await until(async () => calls === 1)
    await until(async () => (await queue.countReady(10)) === 0)
    // Two sweeps later nobody has tried again.
    await systemClock.sleep(2500)
    expect(calls).toBe(1)
    expect((await ledger.getAction(row.id))?.state).toBe('planned')
  })
})

function sendJob({ id, accountId, version, state, dueAt }: ActionRow): WorkerJob {
  return { kind: 'send', actionId: id, accountId, version, state, at: dueAt ?? 0 }
}
