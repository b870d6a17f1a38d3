/**
 * Owns when work is committed: calls made in one turn of the event loop share one transaction, and
 * with it one flush of the disk. Each is a step of its own: one that throws takes back only
 * what it did itself. All are answered after the commit, never before (I4).
 */

import { LedgerError } from '../ledger-error.ts'

/** The transaction that the work runs in. */
export interface Transaction {
  begin(): void
  commit(): void
  rollBack(): void
  beginStep(): void
  endStep(): void
  rollBackStep(): void
  /** False where SQLite has given it up by itself, as it does when the disk is full. */
  isOpen(): boolean
}

interface Call {
  readonly work: () => unknown
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** More calls than this are spread over several transactions, so that none waits for too long. */
const mostCallsTogether = 256

/** Callers that were answered together come back together, but not all within one microtask. */
const quietTurns = 3

export class GroupCommit {
  readonly #transaction: Transaction
  #calls: Call[] = []
  #isWaiting = false
  #damage: LedgerError | null = null

  constructor(transaction: Transaction) {
    this.#transaction = transaction
  }

  /** Runs the work in a transaction with others, and resolves when that is on the disk. */
  run<Result>(work: () => Result): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    this.#calls.push({ work, resolve: resolve as Call['resolve'], reject })
    if (!this.#isWaiting) {
      this.#isWaiting = true
      this.#wait(this.#calls.length, quietTurns)
    }
    return promise
  }

  /** Runs the work in a transaction of its own, after all that was called before. */
  runAlone<Result>(work: () => Result): Promise<Result> {
    this.flush()
    const promise = this.run(work)
    this.flush()
    return promise
  }

  /** Waits while more calls keep coming. It takes no time: all is one turn of the loop. */
  #wait(seen: number, turnsLeft: number): void {
    queueMicrotask(() => {
      const count = this.#calls.length
      // They were committed by other means.
      if (count === 0) return
      if (count >= mostCallsTogether || (count <= seen && turnsLeft === 0)) this.flush()
      else this.#wait(count, count > seen ? quietTurns : turnsLeft - 1)
    })
  }

  /** Commits all that is waiting. */
  flush(): void {
    this.#isWaiting = false
    while (this.#calls.length > 0) {
      const together = this.#calls.slice(0, mostCallsTogether)
      this.#calls = this.#calls.slice(mostCallsTogether)
      this.#commit(together)
    }
  }

  #commit(calls: readonly Call[]): void {
    const answers: (() => void)[] = []
    try {
      if (this.#damage !== null) throw this.#damage
      this.#transaction.begin()
      for (const call of calls) answers.push(this.#take(call, calls.length === 1))
      this.#transaction.commit()
    } catch (error) {
      this.#giveUp(error)
      for (const { reject } of calls) reject(error)
      return
    }
    for (const answer of answers) answer()
  }

  /** Does one call's work and returns its answer, which must wait for the commit. */
  #take({ work, resolve, reject }: Call, isAlone: boolean): () => void {
    // Alone it needs no step: what it did is taken back with the transaction.
    if (isAlone) {
      const result = work()
      return () => resolve(result)
    }
    this.#transaction.beginStep()
    try {
      const result = work()
      this.#transaction.endStep()
      return () => resolve(result)
    } catch (error) {
      if (concernsAll(error) || !this.#transaction.isOpen()) throw error
      this.#transaction.rollBackStep()
      return () => reject(error)
    }
  }

  #giveUp(error: unknown): void {
    // A ledger that is known to be damaged takes nothing more, whoever asks (I10).
    if (error instanceof LedgerError && error.kind === 'damaged') this.#damage = error
    try {
      if (this.#transaction.isOpen()) this.#transaction.rollBack()
    } catch {
      // What made the transaction fail is the error to report.
    }
  }
}

function concernsAll(error: unknown): boolean {
  return error instanceof LedgerError && (error.kind === 'damaged' || error.kind === 'unavailable')
}
