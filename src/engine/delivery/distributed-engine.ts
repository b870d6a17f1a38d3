/**
 * The engine as one of many workers on one Postgres. A queue tells it what is due, and it does the
 * next right thing about it, as the embedded loop does: the handlers are the same, and nothing
 * rests on a job coming once. It takes no more jobs than it has places for.
 */

import type { Instant } from '../../core/instant.ts'
import type { HandingOut } from '../../ledger/postgres/jobs.ts'
import type { LedgerError } from '../../ledger/ledger-error.ts'
import { ClockWatch } from '../clock-watch.ts'
import type { Engine } from '../engine.ts'
import { Handling, isFatal } from '../handling.ts'
import { assemble } from '../parts.ts'
import type { EngineOptions, Parts } from '../parts.ts'
import { findPiece } from './find-piece.ts'
import { urgentPriority } from './job-format.ts'
import { removePresence, savePresence } from './presence.ts'
import { heartbeatSeconds } from './queue.ts'
import type { Queue, TakenJob } from './queue.ts'
import { Sweep, sweepLease } from './sweep.ts'

export interface DistributedEngineOptions extends EngineOptions {
  readonly queue: Queue
  readonly handingOut: HandingOut
  /** How many jobs it does at once. */
  readonly concurrency: number
  /** Shown to people beside its work. */
  readonly host: string
  readonly version: string
}

export type DistributedEngine = Omit<Engine, 'tick'> & {
  /** What it did so far. */
  counts(): WorkerCounts
}

export interface WorkerCounts {
  readonly places: number
  readonly busy: number
  readonly done: number
  readonly failed: number
}

/** How often the queue is asked while it has nothing. */
const pollMs = 250
const sweepEveryMs = 1000
const presenceEveryMs = 10_000
const touchEveryMs = (heartbeatSeconds * 1000) / 3

/**
 * An engine that shares its work with others. `openQueue`, then `openSharedLedger` with the queue's
 * writer, give what it needs; a process that only decides (the server) opens both as well, so that
 * workers hear of an approval at once.
 */
export function createDistributedEngine(options: DistributedEngineOptions): DistributedEngine {
  const worker = new Worker(options)
  let running: Promise<void> | null = null
  const stop = async () => {
    worker.stopping.abort('stopped')
    await running?.catch(() => {})
  }
  return {
    start: () => (running ??= worker.run()),
    stop,
    counts: () => worker.counts(),
    [Symbol.asyncDispose]: stop,
  }
}

class Worker {
  readonly stopping = new AbortController()
  readonly #options: DistributedEngineOptions
  readonly #parts: Parts
  readonly #handling: Handling
  readonly #sweep: Sweep
  readonly #clockWatch: ClockWatch
  readonly #id: string
  readonly #busy = new Map<TakenJob, Promise<void>>()
  /** Done, but the queue has not been told. */
  #ended: TakenJob[] = []
  #wake = Promise.withResolvers<void>()
  #done = 0
  #failed = 0
  #startedAt: Instant | null = null
  /** Why the ledger cannot be used any more. */
  #fatal: LedgerError | null = null

  constructor(options: DistributedEngineOptions) {
    this.#options = options
    this.#parts = assemble(options)
    this.#handling = new Handling(this.#parts, (problem) => {
      this.#failed += 1
      options.onProblem?.(problem)
    })
    this.#clockWatch = new ClockWatch(this.#parts)
    this.#id = options.random.id()
    const { queue, handingOut } = options
    this.#sweep = new Sweep({ parts: this.#parts, queue, handingOut, owner: this.#id })
  }

  counts(): WorkerCounts {
    const { concurrency: places } = this.#options
    return { places, busy: this.#busy.size, done: this.#done, failed: this.#failed }
  }

  /** Ends when it is stopped and all that it took is done, or when the ledger cannot be used. */
  async run(): Promise<void> {
    const loops = [
      this.#loop('take', () => this.#takeJobs()),
      this.#loop('sweep', () => this.#runSweep()),
      this.#loop('presence', () => this.#sayPresence()),
      this.#loop('touch', () => this.#touch()),
    ]
    await Promise.all(loops)
    await Promise.all(this.#busy.values())
    await this.#leave()
    if (this.#fatal !== null) throw this.#fatal
  }

  /** Does the same again and again, each time after as long as it says. */
  async #loop(work: string, run: () => Promise<number>): Promise<void> {
    const { clock, settings } = this.#parts
    const { signal } = this.stopping
    while (!signal.aborted) {
      let waitMs = settings.breathMs
      try {
        waitMs = await run()
      } catch (error) {
        this.#report(work, this.#id, error)
      }
      if (waitMs > 0) await clock.sleep(waitMs, signal)
    }
  }

  async #takeJobs(): Promise<number> {
    const { queue, concurrency, onTurn } = this.#options
    onTurn?.()
    await this.#clockWatch.check()
    const free = concurrency - this.#busy.size
    if (free === 0) {
      await this.#complete()
      return this.#untilFree()
    }
    // The last place is kept for what someone waits for.
    const lowest = free === 1 && concurrency > 1 ? urgentPriority : null
    const count = lowest === null ? Math.max(1, free - 1) : 1
    const asked = [queue.take(count, lowest), this.#complete()] as const
    const [taking, completing] = await Promise.allSettled(asked)
    if (taking.status === 'rejected') throw taking.reason
    // What was taken is begun also where the other failed.
    for (const job of taking.value) this.#begin(job)
    if (completing.status === 'rejected') throw completing.reason
    return taking.value.length > 0 ? 0 : this.#untilFree(pollMs)
  }

  /** Waits until a job ends, at most so long. Returns how long to wait beside that. */
  async #untilFree(forMs = touchEveryMs): Promise<number> {
    // One may have ended since it was counted who is busy.
    if (this.#ended.length > 0) return 0
    const { signal } = this.stopping
    const waiting = new AbortController()
    const both = AbortSignal.any([signal, waiting.signal])
    await Promise.race([this.#wake.promise, this.#parts.clock.sleep(forMs, both)])
    waiting.abort()
    return 0
  }

  #begin(taken: TakenJob): void {
    this.#busy.set(
      taken,
      this.#handle(taken)
        .catch((error: unknown) => this.#report(taken.job?.kind ?? 'job', taken.id, error))
        .finally(() => {
          this.#busy.delete(taken)
          this.#ended.push(taken)
          this.#done += 1
          this.#wake.resolve()
          this.#wake = Promise.withResolvers()
        }),
    )
  }

  #report(work: string, id: string, error: unknown): void {
    this.#failed += 1
    this.#options.onProblem?.({ work, id, error })
    if (!isFatal(error)) return
    this.#fatal = error
    this.stopping.abort('stopped')
  }

  async #handle(taken: TakenJob): Promise<void> {
    const { job } = taken
    const piece = job === null ? null : await findPiece(this.#parts.ledger, job)
    if (job === null || piece === null) return
    if ((await this.#handling.run(piece)) === 'done' || job.kind === 'check') return
    // Its row stays due. A job that begins later keeps the sweep from sending one at once.
    const { ledger, settings } = this.#parts
    await this.#options.queue.postpone(taken, (await ledger.now()) + settings.unreadAgainMs)
  }

  /** Where it cannot be told now, it is told with the next. */
  async #complete(): Promise<void> {
    if (this.#ended.length === 0) return
    const ended = this.#ended
    this.#ended = []
    try {
      await this.#options.queue.complete(ended)
    } catch (error) {
      this.#ended.push(...ended)
      throw error
    }
  }

  async #runSweep(): Promise<number> {
    return (await this.#sweep.run()) ? pollMs : sweepEveryMs
  }

  async #touch(): Promise<number> {
    await this.#options.queue.touch([...this.#busy.keys()])
    return touchEveryMs
  }

  async #sayPresence(): Promise<number> {
    const { host, version } = this.#options
    this.#startedAt ??= await this.#parts.ledger.now()
    const report = { id: this.#id, host, version, startedAt: this.#startedAt, ...this.counts() }
    await savePresence(this.#parts.ledger, report)
    return presenceEveryMs
  }

  /** Whoever leads next need not wait. What fails here runs out by itself. */
  async #leave(): Promise<void> {
    const { ledger } = this.#parts
    await Promise.allSettled([
      this.#complete(),
      ledger.releaseLease(sweepLease, this.#id),
      removePresence(ledger, this.#id),
    ])
  }
}
