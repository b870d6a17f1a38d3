/**
 * Owns the life of one simulated process. Everything it waits for goes through here and is counted,
 * so that it can be made to die at any of these moments: what it waits for then never returns.
 */

/** Where a process dies: at the how manieth await, and whether what it called still happens. */
export interface CrashPoint {
  readonly await: number
  readonly when: 'before' | 'after'
}

export class Lifeline {
  isAlive = true
  /** How many calls the process has waited for so far. */
  awaits = 0
  crashPoint: CrashPoint | null = null
  readonly #onDeath: () => void

  constructor(onDeath: () => void) {
    this.#onDeath = onDeath
  }

  die(): void {
    if (!this.isAlive) return
    this.isAlive = false
    this.#onDeath()
  }

  /** Makes the call, unless the process is dead; and returns, unless it has died meanwhile. */
  wait<Result>(call: () => Promise<Result>): Promise<Result> {
    if (!this.isAlive) return never()
    this.awaits += 1
    const { crashPoint } = this
    if (crashPoint?.await !== this.awaits) {
      return call().then(this.#pass, this.#fail) as Promise<Result>
    }
    if (crashPoint.when === 'after') void call().catch(() => {})
    this.die()
    return never()
  }

  /** Made once, because every call goes through them. */
  readonly #pass = (result: unknown) => (this.isAlive ? result : never())
  readonly #fail = (error: unknown) => (this.isAlive ? Promise.reject(error) : never())
}

/** What a dead process waits for. Each its own: one for all would hold on to all that ever died. */
export function never(): Promise<never> {
  return new Promise<never>(() => {})
}
