/** Owns what a step on locked rows is to this store: how it is loaded, run and written. */

import { LedgerError } from '../ledger-error.ts'
import type { ActionRow } from '../rows.ts'
import type { Changes } from '../store.ts'
import { toArray } from './columns.ts'
import type { Earlier } from './earlier.ts'
import { call, jsonOf } from './operation.ts'
import type { Call, Operation } from './operation.ts'
import type { QueryResult, Value } from './pg.ts'
import type { Place, Subject } from './places.ts'
import { fixedActionFields } from './tables.ts'
import type { StepChanges } from './write-changes.ts'

/** A step on rows that it locks. `Sent` is how the server sends them. */
export interface Task<Sent, View, R> {
  readonly subject: Subject
  /**
   * Takes ids, whether to wait for who holds their rows, and `rest`. It answers for each of them:
   * null where there is no such row, `locked` where others hold it and nobody waits.
   */
  readonly load: Operation<Sent | 'locked' | null>
  readonly rest: readonly Value[]
  /** Adds what others in the same transaction did meanwhile. */
  readonly toView: (sent: Sent, earlier: Earlier) => View
  readonly placeOf: (view: View) => Place
  /** Names of what it locks, so that two transactions do not meet. */
  readonly locks: (place: Place) => readonly string[]
  /** Pure; may throw, and then nothing is written. */
  readonly conclude: (view: View) => Taken<R>
}

/** What a step came to. */
export interface Taken<R> extends StepChanges {
  readonly result: R
  /** The actions that the step was shown. */
  readonly shown: readonly ActionRow[]
}

export type AnyTask = Task<unknown, unknown, unknown>

/** Loads tasks with one call for all that are loaded alike. */
export class Loading {
  readonly calls: readonly Call[]
  readonly #batches: readonly (readonly number[])[]
  readonly #tasks: readonly AnyTask[]

  constructor(tasks: readonly AnyTask[], mayWait: boolean) {
    const batches = new Map<string, number[]>()
    for (const [index, { load, rest }] of tasks.entries()) {
      const key = `${load.name} ${rest.join()}`
      const batch = batches.get(key)
      if (batch === undefined) batches.set(key, [index])
      else batch.push(index)
    }
    this.#tasks = tasks
    this.#batches = [...batches.values()]
    this.calls = this.#batches.map((batch) => {
      const { load, rest } = this.#first(batch)
      const ids = batch.map((index) => (tasks[index] as AnyTask).subject.id)
      return call(load, toArray(ids), mayWait, ...rest)
    })
  }

  /** What was sent for each task, in their order. */
  read(results: readonly QueryResult[]): readonly unknown[] {
    const sent: unknown[] = []
    for (const [number, batch] of this.#batches.entries()) {
      const items = jsonOf(this.#first(batch).load, results[number] as QueryResult)
      for (const [place, index] of batch.entries()) sent[index] = items[place] ?? null
    }
    return sent
  }

  #first([index]: readonly number[]): AnyTask {
    return this.#tasks[index as number] as AnyTask
  }
}

/** What an action is about is not written, so a change of it must be found here (I8). */
export function requireSameSubject(stored: readonly ActionRow[], { updateAction }: Changes): void {
  if (updateAction === undefined) return
  const before = stored.find(({ id }) => id === updateAction.id)
  const field = fixedActionFields.find((name) => before?.[name] !== updateAction[name])
  if (field === undefined) return
  throw new LedgerError(
    'conflict',
    `Action ${updateAction.id} cannot change its ${field}. Nothing was written.`,
  )
}
