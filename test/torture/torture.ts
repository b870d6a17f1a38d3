/**
 * Owns the course of the torture: workers that are killed without warning and replaced, or a server
 * that is. What they acknowledged is kept in one book, to be compared with the ledger afterwards.
 */

import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../../src/platform/simulated/seeded-random.ts'
import type { Stream } from '../../src/platform/simulated/seeded-random.ts'
import type { TestPostgres } from '../support/postgres.ts'
import { AckBook } from './acknowledgement.ts'
import type { Acknowledgement } from './acknowledgement.ts'
import type { StoreAddress } from './open-ledger.ts'
import type { TortureTask } from './torture-worker.ts'
import { WorkerProcess } from './worker-process.ts'

export interface TortureSettings {
  readonly address: StoreAddress
  /** The file that stands for the network. */
  readonly network: string
  readonly seed: string
}

/** So many work at a time: a dead one leaves the ledger alone with itself, or with another. */
const places = 2

/** Kills workers at random moments, this many times, and starts others in their place. */
export async function killWorkers(settings: TortureSettings, kills: number): Promise<AckBook> {
  const book = new AckBook()
  const random = seededRandom(`${settings.seed}:kills`)
  let lives = 0
  const fill = async () => {
    while (lives < kills) {
      lives += 1
      try {
        await liveAndDie(settings, `worker-${lives}`, book, momentOf(random))
      } catch (error) {
        // The others still die their deaths, so that none is left behind.
        lives = kills
        throw error
      }
    }
  }
  await allOf(Array.from({ length: places }, fill))
  return book
}

/** Waits for all of them, also where one has failed. */
async function allOf(ends: readonly Promise<void>[]): Promise<void> {
  for (const end of await Promise.allSettled(ends)) {
    if (end.status === 'rejected') throw end.reason
  }
}

/** When a worker is killed: so long after it was started, or after so many acknowledgements. */
type Moment =
  | { readonly kind: 'start'; readonly afterMs: number }
  | { readonly kind: 'work'; readonly acks: number; readonly afterMs: number }

function momentOf(random: Stream): Moment {
  if (random.chance(0.15)) return { kind: 'start', afterMs: random.between(0, 400) }
  return { kind: 'work', acks: Math.ceil(random.between(0, 60)), afterMs: random.between(0, 5) }
}

async function liveAndDie(
  settings: TortureSettings,
  name: string,
  book: AckBook,
  moment: Moment,
): Promise<void> {
  const come = Promise.withResolvers<void>()
  let left = moment.kind === 'work' ? moment.acks : Infinity
  const worker = startWorker(settings, name, (ack) => {
    book.note(ack)
    left -= 1
    if (left <= 0) come.resolve()
  })
  if (moment.kind === 'start') come.resolve()
  await Promise.race([come.promise, worker.ended])
  await delay(moment.afterMs)
  worker.kill()
  await requireKilled(worker)
}

function startWorker(
  { address, network, seed }: TortureSettings,
  name: string,
  onAck: (ack: Acknowledgement) => void,
): WorkerProcess<Acknowledgement> {
  const task: TortureTask = { name, seed, address, network }
  return new WorkerProcess<Acknowledgement>('torture-worker.ts', task, onAck)
}

/** A worker never ends by itself: whatever made it do so is a finding. */
async function requireKilled(worker: WorkerProcess<Acknowledgement>): Promise<void> {
  const { signal, complaints } = await worker.ended
  if (signal !== 'SIGKILL') throw new Error(`A worker ended by itself: ${complaints}`)
}

const workersOnServer = 3
/** So much must be acknowledged between two crashes, so that each meets work under way. */
const acksBetween = 60

/** Kills the server under the workers, this many times, and starts it again. */
export async function killServer(
  settings: TortureSettings,
  server: TestPostgres,
  kills: number,
): Promise<AckBook> {
  const book = new AckBook()
  const random = seededRandom(`${settings.seed}:server`)
  let awaited = { acks: acksBetween, resolve: () => {} }
  const workers = Array.from({ length: workersOnServer }, (_, number) =>
    startWorker(settings, `worker-${number}`, (ack) => {
      book.note(ack)
      if (book.count >= awaited.acks) awaited.resolve()
    }),
  )
  const died = Promise.race(workers.map(({ ended }) => ended))
  const progress = async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    awaited = { acks: book.count + acksBetween, resolve }
    await Promise.race([promise, died])
    await delay(random.between(0, 20))
  }
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      await progress()
      await server.kill()
      await server.restart()
    }
    await progress()
  } finally {
    for (const worker of workers) worker.kill()
    await allOf(workers.map(requireKilled))
  }
  return book
}
