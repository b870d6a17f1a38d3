/**
 * Runs one piece of work, whoever found it: the embedded loop or a worker that was told of it. Each
 * is level-triggered, so that running it twice is harmless, and one that fails keeps no other from
 * being done.
 */

import type { AccountId, ActionId, PostId } from '../core/ids.ts'
import { LedgerError } from '../ledger/ledger-error.ts'
import type { MeasurementRow, PostRow } from '../ledger/rows.ts'
import { act } from './act.ts'
import { discover } from './discover.ts'
import { evaluate } from './evaluate.ts'
import { measure } from './measure.ts'
import { observe } from './observe.ts'
import type { EngineOptions, Parts } from './parts.ts'
import { reconcile } from './reconcile.ts'

export type ReportProblem = NonNullable<EngineOptions['onProblem']>

/** One thing to do for one account. */
export type Piece =
  | { readonly kind: 'send' | 'reconcile'; readonly id: ActionId; readonly accountId: AccountId }
  | { readonly kind: 'discover'; readonly id: AccountId; readonly accountId: AccountId }
  | { readonly kind: 'measure'; readonly due: MeasurementRow; readonly accountId: AccountId }
  | { readonly kind: 'check'; readonly posts: readonly PostRow[]; readonly accountId: AccountId }

/** `later` where it stays due and is not worth trying again at once. */
export type Handled = 'done' | 'later'

export class Handling {
  readonly #parts: Parts
  readonly #report: ReportProblem

  constructor(parts: Parts, report: ReportProblem) {
    this.#parts = parts
    this.#report = report
  }

  /** Rejects only where the ledger cannot be used any more. */
  async run(piece: Piece): Promise<Handled> {
    const { limits } = this.#parts
    return this.#try(piece.kind, idOf(piece), async () => {
      // Its network's limit is nearly used up; others are not to wait behind it.
      if (await limits.isSpent(piece.accountId)) return this.#leave(piece)
      const handled = await this.#do(piece)
      await limits.share(piece.accountId)
      return handled
    })
  }

  async #leave(piece: Piece): Promise<Handled> {
    if (piece.kind === 'check') await this.#putOff(piece.posts)
    return 'later'
  }

  async #do(piece: Piece): Promise<Handled> {
    const parts = this.#parts
    switch (piece.kind) {
      case 'send':
        await act(parts, piece.id, piece.accountId)
        return 'done'
      case 'reconcile':
        await reconcile(parts, piece.id)
        return 'done'
      case 'discover':
        await discover(parts, piece.id)
        return 'done'
      case 'measure':
        return (await measure(parts, piece.due)) === 'unread' ? 'later' : 'done'
      case 'check':
        await this.#check(piece.accountId, piece.posts)
        return 'done'
    }
  }

  async #try(work: string, id: string, run: () => Promise<Handled>): Promise<Handled> {
    try {
      return await run()
    } catch (error) {
      if (isFatal(error)) throw error
      this.#report({ work, id, error })
      // A ledger that is busy or away comes back soon; whatever else it is will take longer.
      return error instanceof LedgerError ? 'done' : 'later'
    }
  }

  async #check(id: AccountId, posts: readonly PostRow[]): Promise<void> {
    const account = await this.#parts.ledger.getAccount(id)
    if (account === null) return
    let decided: ReadonlySet<PostId> = new Set()
    try {
      const live = account.status === 'active' ? await observe(this.#parts, account, posts) : []
      decided = await evaluate(this.#parts, account, live, (post, run) => this.#tryPost(post, run))
    } finally {
      await this.#putOff(posts.filter((post) => !decided.has(post.id)))
    }
  }

  async #tryPost({ id }: PostRow, run: () => Promise<void>): Promise<boolean> {
    let isDone = false
    await this.#try('check', id, async () => {
      await run()
      isDone = true
      return 'done'
    })
    return isDone
  }

  /** What could not be read is tried again later, and does not stand in the way until then. */
  async #putOff(posts: readonly PostRow[]): Promise<void> {
    if (posts.length === 0) return
    const { ledger, settings } = this.#parts
    const ids = posts.map(({ id }) => id)
    await ledger.setNextCheckAt(ids, (await ledger.now()) + settings.unreadAgainMs)
  }
}

/** What a problem, or a rest, is about. */
export function idOf(piece: Piece): string {
  switch (piece.kind) {
    case 'measure':
      return piece.due.postId
    case 'check':
      return piece.accountId
    default:
      return piece.id
  }
}

/** A ledger that is damaged or newer than the program stops the engine (I10). */
export function isFatal(error: unknown): error is LedgerError {
  return error instanceof LedgerError && ['damaged', 'newer', 'foreign'].includes(error.kind)
}
