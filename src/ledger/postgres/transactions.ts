/**
 * Owns how transactions run. What Postgres gave up for reasons of order is repeated, which is safe
 * because what is written is worked out anew from what is read.
 */

import { begin, commit, rollback } from './connections.ts'
import type { Connections, Line } from './connections.ts'
import { isConnectionLoss, isRetryable, toLedgerError } from './errors.ts'
import type { Phase } from './errors.ts'
import type { Call, Operation } from './operation.ts'
import type { QueryResult, Value } from './pg.ts'
import { Reads } from './reads.ts'
import type { ByIdOperation } from './reads.ts'

/** What a transaction writes in the end, and what it returns. */
export interface Conclusion<R> {
  readonly result: R
  readonly writes: readonly Call[]
}

const mostTries = 5

/** What failed, and whether a COMMIT was on its way. */
export class Failure extends Error {
  override readonly name = 'Failure'
  override readonly cause: unknown
  readonly phase: Phase

  constructor(cause: unknown, phase: Phase) {
    super('a statement failed')
    this.cause = cause
    this.phase = phase
  }
}

export class Transactions {
  readonly connections: Connections
  readonly #reads: Reads

  constructor(connections: Connections) {
    this.connections = connections
    this.#reads = new Reads(connections)
  }

  /** One statement by itself. Each of its rows is one JSON value. */
  async read<Item>(
    operation: Operation<Item>,
    ...values: readonly Value[]
  ): Promise<readonly Item[]> {
    return this.#repeat(() => this.#reads.run(operation, values).catch(failBeforeCommit))
  }

  /** One row of a statement that reads many by their ids. */
  async readById<Item>(operation: ByIdOperation<Item>, id: string): Promise<Item | null> {
    return this.#repeat(() => this.#reads.runById(operation, id).catch(failBeforeCommit))
  }

  /** Statements that need no answer of each other, in one transaction and one round trip. */
  async write(...calls: readonly Call[]): Promise<readonly QueryResult[]> {
    return this.#repeatOn(async (line) => {
      const results = await sendAll(line, [begin, ...calls, commit], 'commit')
      return results.slice(1, -1)
    })
  }

  /** Like it, where what is written depends on what was read. Two round trips. */
  async exchange<R>(
    calls: readonly Call[],
    conclude: (results: readonly QueryResult[]) => Conclusion<R>,
  ): Promise<R> {
    return this.#repeatOn(async (line) => {
      const results = await sendAll(line, [begin, ...calls], 'before_commit')
      const { result, writes } = await concludeOn(line, () => conclude(results.slice(1)))
      await sendAll(line, [...writes, commit], writes.length > 0 ? 'commit' : 'before_commit')
      return result
    })
  }

  #repeatOn<R>(run: (line: Line) => Promise<R>): Promise<R> {
    return this.#repeat(() => this.connections.use(run))
  }

  async #repeat<R>(run: () => Promise<R>): Promise<R> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        if (tries >= mostTries || !mayRepeat(error)) throw toLedgerError(error.cause, error.phase)
      }
    }
  }
}

function failBeforeCommit(error: unknown): never {
  throw new Failure(error, 'before_commit')
}

function mayRepeat({ cause, phase }: Failure): boolean {
  return isRetryable(cause) || (phase === 'before_commit' && isConnectionLoss(cause))
}

/** Sends statements and returns their results. After a failure the transaction is rolled back. */
export async function sendAll(
  line: Line,
  calls: Parameters<Line['send']>[0],
  phase: Phase,
): Promise<readonly QueryResult[]> {
  const results: QueryResult[] = []
  const errors: unknown[] = []
  for (const answer of await line.send(calls)) {
    if (answer.status === 'fulfilled') results.push(answer.value)
    else errors.push(answer.reason)
  }
  if (errors.length === 0) return results
  const isLost = errors.some(isConnectionLoss)
  // A COMMIT after a failed statement has rolled back already.
  if (!isLost && calls.at(-1) !== commit) await line.send([rollback])
  throw new Failure(errors[0], isLost ? phase : 'before_commit')
}

/** A step that throws leaves nothing behind. */
async function concludeOn<R>(line: Line, conclude: () => Conclusion<R>): Promise<Conclusion<R>> {
  try {
    return conclude()
  } catch (error) {
    await line.send([rollback])
    throw error
  }
}
