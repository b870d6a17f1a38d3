/**
 * Owns the processes of the simulated installation: how many there are, when they die and when new
 * ones take their place. Whatever a dead one knew is gone.
 */

import { hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import type { Instant } from '../../src/core/instant.ts'
import { LedgerError } from '../../src/ledger/index.ts'
import { seededRandom } from '../../src/platform/simulated/index.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'
import type { CrashPoint } from './lifeline.ts'
import { Process } from './process.ts'
import type { Surroundings } from './process.ts'

export interface FleetOptions {
  readonly seed: string
  readonly around: Surroundings
  /** The very first process dies here. */
  readonly firstCrash?: CrashPoint
  /** Told when an engine gave up although nobody stopped it. */
  readonly onEnd: (error: unknown) => void
}

export class Fleet {
  readonly #options: FleetOptions
  readonly #stream: Stream
  readonly #running = new Set<Process>()
  #target = 0
  #started = 0
  /** Restarts that are on their way. */
  #expected = 0
  crashes = 0
  /** Set while processes find the ledger damaged: when each of those still running was told. */
  readonly toldOfDamage = new Map<Process, Instant>()

  constructor(options: FleetOptions) {
    this.#options = options
    this.#stream = seededRandom(`${options.seed}:fleet`)
  }

  /** How many processes there are to be. */
  setTarget(count: number): void {
    this.#target = count
    while (this.#running.size + this.#expected < count) this.#start()
    for (const process of [...this.#running].slice(count)) {
      this.#running.delete(process)
      void process.engine.stop()
    }
  }

  get running(): readonly Process[] {
    return [...this.#running]
  }

  #start(): void {
    this.#started += 1
    const { around, seed, firstCrash } = this.#options
    const stream = seededRandom(`${seed}:process:${this.#started}`)
    const process = new Process(this.#started, stream, around, () => this.#bury(process))
    if (this.#started === 1 && firstCrash !== undefined) process.lifeline.crashPoint = firstCrash
    this.#running.add(process)
    process.engine.start().then(
      () => this.#running.delete(process),
      (error: unknown) => this.#end(process, error),
    )
  }

  /** An engine that stops by itself is replaced like one that died, unless it was right to stop. */
  #end(process: Process, error: unknown): void {
    this.#running.delete(process)
    this.toldOfDamage.delete(process)
    const isDamage = error instanceof LedgerError && error.kind === 'damaged'
    if (!isDamage) this.#options.onEnd(error)
    this.#replaceAfter(isDamage ? 15 * minuteMs : minuteMs)
  }

  #bury(process: Process): void {
    this.crashes += 1
    this.toldOfDamage.delete(process)
    if (this.#running.delete(process)) this.#replaceAfter(this.#drawDowntime())
  }

  #replaceAfter(downtimeMs: number): void {
    this.#expected += 1
    this.#options.around.time.after(downtimeMs, () => {
      this.#expected -= 1
      if (this.#running.size < this.#target) this.#start()
    })
  }

  /** Mostly a supervisor starts it again at once; sometimes nobody notices for hours. */
  #drawDowntime(): number {
    const place = this.#stream.fraction()
    if (place < 0.6) return secondMs
    if (place < 0.85) return this.#stream.between(secondMs, 10 * minuteMs)
    return this.#stream.between(hourMs, 5 * hourMs)
  }

  /** Chooses a process to die soon: in the middle of a send, or wherever it happens to be. */
  armCrash(): void {
    const running = this.running
    const process = running[Math.floor(this.#stream.fraction() * running.length)]
    if (process === undefined) return
    const when = this.#stream.chance(0.5) ? 'before' : 'after'
    if (this.#stream.chance(0.3)) {
      process.lifeline.crashPoint = this.#pointWithin(process, 300, when)
      return
    }
    process.onLedgerCall = (call) => {
      if (call !== 'claim' && call !== 'reconcile') return
      process.onLedgerCall = () => {}
      process.lifeline.crashPoint = this.#pointWithin(process, 22, when)
    }
  }

  #pointWithin(process: Process, most: number, when: CrashPoint['when']): CrashPoint {
    const ahead = 1 + Math.floor(this.#stream.fraction() * most)
    return { await: process.lifeline.awaits + ahead, when }
  }
}
