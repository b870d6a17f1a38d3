/** Owns what a worker says once the ledger has acknowledged something, and what the test keeps. */

import { isDeepStrictEqual } from 'node:util'
import type { PostId } from '../../src/core/ids.ts'
import type { ActionRow, AttemptRow } from '../../src/ledger/rows.ts'

export type AttemptResult = AttemptRow['result']

export type Acknowledgement =
  /** The ledger is open and the accounts are there. */
  | { readonly kind: 'open' }
  | { readonly kind: 'post'; readonly postId: PostId; readonly samples: number }
  /** A row as the ledger returned it: planned, claimed, settled, freed or reconciled. */
  | { readonly kind: 'action'; readonly row: ActionRow }
  | { readonly kind: 'attempt'; readonly attempt: AttemptRow }
  /** What a send came to, on a claim that was still held or as evidence that came late. */
  | { readonly kind: 'result'; readonly attemptId: string; readonly result: AttemptResult }
  | { readonly kind: 'sealed'; readonly entries: number }

/** Everything that was ever acknowledged, by all workers. */
export class AckBook {
  readonly posts = new Map<PostId, number>()
  /** The rows of each action, by their version. */
  readonly rows = new Map<string, Map<number, ActionRow>>()
  readonly attempts = new Map<string, AttemptRow>()
  readonly results = new Map<string, AttemptResult>()
  readonly contradictions: string[] = []
  sealed = 0
  count = 0

  note(ack: Acknowledgement): void {
    this.count += 1
    switch (ack.kind) {
      case 'open':
        return
      case 'post':
        this.posts.set(ack.postId, ack.samples)
        return
      case 'action':
        return this.#noteRow(ack.row)
      case 'attempt':
        this.attempts.set(ack.attempt.id, ack.attempt)
        return
      case 'result':
        this.results.set(ack.attemptId, ack.result)
        return
      case 'sealed':
        this.sealed += ack.entries
        return
    }
  }

  /** A version that was given twice, for different rows, is a write that was lost (I4). */
  #noteRow(row: ActionRow): void {
    const versions = this.rows.get(row.id) ?? new Map<number, ActionRow>()
    this.rows.set(row.id, versions)
    const known = versions.get(row.version)
    if (known !== undefined && !isDeepStrictEqual(known, row)) {
      this.contradictions.push(`version ${row.version} of ${row.id} was written twice`)
    }
    versions.set(row.version, row)
  }
}
