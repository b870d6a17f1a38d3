/**
 * Owns the queue: pg-boss, in a schema of its own in the ledger's database. It only carries the
 * news that something is due. It retries nothing: whether a send may be repeated is the core's to
 * decide, and what is due and has no job gets one by the sweep.
 *
 * What was measured with pg-boss 12.35 and is built on here: jobs are asked for many at a time
 * (ten times as many as one at a time, three times as many as by NOTIFY); a heartbeat on every job,
 * as those of a worker that died would stay active for long; completing says which attempt it was,
 * as else a worker that was given up could complete another's.
 */

import type { Instant } from '../../core/instant.ts'
import type { JobWriter } from '../../ledger/postgres/jobs.ts'
import { keyOf, priorityOf, readJob, startOf } from './job-format.ts'
import type { WorkerJob } from './job-format.ts'

export interface QueueSettings {
  readonly connectionString: string
  /** Where its tables are; nothing else is there. */
  readonly schema?: string
  /** How many connections it may use beside the ledger's. */
  readonly connections?: number
  /** Whether it looks after its tables and after jobs of workers that died. One worker suffices. */
  readonly looksAfter?: boolean
  readonly onProblem?: (error: unknown) => void
}

/** A job that this worker has taken. */
export interface TakenJob {
  readonly id: string
  readonly retryCount: number
  /** Null where it means nothing to this version of the program. */
  readonly job: WorkerJob | null
}

export interface Queue extends AsyncDisposable {
  /** Puts jobs on it in the ledger's own transactions. */
  readonly writer: JobWriter
  /** Puts jobs on it at once. One that is there already, or is being done, stays as it is. */
  send(jobs: readonly WorkerJob[]): Promise<void>
  /** The most urgent first; of those alike the oldest are taken. */
  take(count: number, lowestPriority: number | null): Promise<readonly TakenJob[]>
  /** Says that they are still being done. */
  touch(jobs: readonly TakenJob[]): Promise<void>
  complete(jobs: readonly TakenJob[]): Promise<void>
  /** Completes it and sends it anew for later, in one go: nobody sends another in between. */
  postpone(taken: TakenJob, startAt: Instant): Promise<void>
  /** How many jobs could begin now, counted up to a number. */
  countReady(most: number): Promise<number>
}

const queueName = 'work'
const defaultSchema = 'secondwind_jobs'
const defaultConnections = 3

/** Jobs of a worker that says nothing for so long are given up. */
export const heartbeatSeconds = 60

const queueOptions = {
  policy: 'exclusive',
  retryLimit: 0,
  heartbeatSeconds,
  /** Longer than any thread takes to be sent. */
  expireInSeconds: 1800,
  /** A job that nobody took for so long goes; what it was about is found again by the sweep. */
  retentionSeconds: 86_400,
  /** Done jobs are of no use. They stay long enough to be looked at after an incident. */
  deleteAfterSeconds: 3600,
} as const

const sessionSettings = {
  /** What is taken and done need not be on the disk: forgotten, it is harmlessly done again. */
  synchronous_commit: 'off',
  /**
   * Jobs come and go faster than the server counts them. It takes a full queue for an empty one,
   * then, and sorts all that are ready each time some are taken: 5 ms with 10,000, where the index
   * that has them in order takes 1.
   */
  enable_sort: 'off',
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
} as const

export async function openQueue(settings: QueueSettings): Promise<Queue> {
  const { schema = defaultSchema, looksAfter = true, onProblem = () => {} } = settings
  const { PgBoss } = await loadPgBoss()
  const boss = new PgBoss({
    connectionString: settings.connectionString,
    application_name: 'secondwind jobs',
    options: Object.entries(sessionSettings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    schema,
    max: settings.connections ?? defaultConnections,
    schedule: false,
    supervise: looksAfter,
    superviseIntervalSeconds: 30,
    monitorIntervalSeconds: 30,
  })
  boss.on('error', onProblem)
  try {
    await boss.start()
    await boss.createQueue(queueName, queueOptions)
    const { policy: _, ...changeable } = queueOptions
    await boss.updateQueue(queueName, changeable)
    return createQueue(boss, schema, await writerOf(boss))
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

function createQueue(boss: Boss, schema: string, writer: JobWriter): Queue {
  return {
    writer,
    send: async (jobs) => {
      if (jobs.length > 0) {
        await boss.insert(
          queueName,
          jobs.map((job) => toInsert(job)),
        )
      }
    },
    take: async (count, minPriority) => {
      const taken = await boss.fetch(queueName, {
        batchSize: count,
        ...(minPriority === null ? {} : { minPriority }),
      })
      // The most urgent were taken, but they come in any order.
      return taken
        .map(({ id, retryCount, data }) => ({ id, retryCount, job: readJob(data) }))
        .sort((a, b) => urgency(b) - urgency(a))
    },
    touch: async (jobs) => {
      if (jobs.length > 0) await boss.touch(queueName, jobs.map(attemptOf))
    },
    complete: async (jobs) => {
      if (jobs.length > 0) await boss.complete(queueName, jobs.map(attemptOf))
    },
    postpone: async (taken, startAt) => {
      if (taken.job === null) return
      const transaction = await boss.getDb().beginTransaction()
      const { db } = transaction
      try {
        await boss.complete(queueName, [attemptOf(taken)], null, { db })
        await boss.insert(queueName, [toInsert(taken.job, startAt)], { db })
        await transaction.commit()
      } catch (error) {
        await transaction.rollback()
        throw error
      }
    },
    countReady: async (most) => {
      const { rows } = await boss.getDb().executeSql(
        `select count(*)::int as count from (
          select from "${schema}".job where name = $1 and state < 'active' and not blocked
            and start_after <= now() limit $2) t`,
        [queueName, most],
      )
      return (rows[0] as { readonly count: number }).count
    },
    [Symbol.asyncDispose]: () => boss.stop({ graceful: false }),
  }
}

function urgency({ job }: TakenJob): number {
  return job === null ? 0 : priorityOf(job)
}

function attemptOf({ id, retryCount }: TakenJob): Attempt {
  return { id, retryCount }
}

function toInsert(job: WorkerJob, startAt: Instant | null = startOf(job)): Insert {
  return {
    data: job,
    singletonKey: keyOf(job),
    priority: priorityOf(job),
    // Not a fraction of a millisecond too early: then nothing would be due yet.
    ...(startAt === null ? {} : { startAfter: new Date(Math.ceil(startAt)).toISOString() }),
  }
}

/** The statement by which pg-boss itself inserts, so that the ledger can send it along. */
async function writerOf(boss: Boss): Promise<JobWriter> {
  let statement = ''
  const recorder: Db = {
    executeSql: async (text) => {
      statement = text
      return { rows: [] }
    },
  }
  await boss.insert(queueName, [], { db: recorder })
  if (!statement.includes('$1') || statement.includes('$2')) {
    throw new Error('This version of pg-boss inserts jobs in a way that is not known here')
  }
  return { statement, toParameter: (jobs) => JSON.stringify(jobs.map((job) => toInsert(job))) }
}

/** The little that is used of the package. Stated here, so that it need not be installed. */
interface Boss {
  on(event: 'error', listener: (error: unknown) => void): unknown
  start(): Promise<unknown>
  stop(options: { readonly graceful: boolean }): Promise<void>
  createQueue(name: string, options: object): Promise<void>
  updateQueue(name: string, options: object): Promise<void>
  insert(name: string, jobs: readonly Insert[], options?: { readonly db: Db }): Promise<unknown>
  fetch(
    name: string,
    options: { readonly batchSize: number; readonly minPriority?: number },
  ): Promise<readonly (Attempt & { readonly data: unknown })[]>
  touch(name: string, jobs: readonly Attempt[]): Promise<unknown>
  complete(
    name: string,
    jobs: readonly Attempt[],
    data?: null,
    options?: { readonly db: Db },
  ): Promise<unknown>
  getDb(): Db & { beginTransaction(): Promise<Transaction> }
}

interface Transaction {
  readonly db: Db
  commit(): Promise<void>
  rollback(): Promise<void>
}

interface Db {
  executeSql(
    text: string,
    values?: readonly unknown[],
  ): Promise<{ readonly rows: readonly unknown[] }>
}

interface Attempt {
  readonly id: string
  readonly retryCount: number
}

interface Insert {
  readonly data: WorkerJob
  readonly singletonKey: string
  readonly priority: number
  readonly startAfter?: string
}

interface PgBossPackage {
  readonly PgBoss: new (options: object) => Boss
}

async function loadPgBoss(): Promise<PgBossPackage> {
  // A name that is not written out: the package may be missing, and its types with it.
  const name = 'pg-boss'
  try {
    return (await import(name)) as PgBossPackage
  } catch (cause) {
    const message =
      `The npm package ${name} could not be loaded. Workers on Postgres need it: run ` +
      `"npm install ${name}".`
    throw new Error(message, { cause })
  }
}
