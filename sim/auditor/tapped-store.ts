/** The memory store, with someone looking over its shoulder after each transaction. */

import type { NewEvent } from '../../src/core/events.ts'
import type { TallyEntry } from '../../src/core/history.ts'
import type { AccountId, ActionId, PostId } from '../../src/core/ids.ts'
import { MemoryStore } from '../../src/ledger/index.ts'
import type {
  AccountRow,
  AccountView,
  ActionView,
  Changes,
  ClaimView,
  LookView,
  MeasurementView,
  OwnReplyRow,
  PauseRow,
  PostRow,
  PostView,
  Reach,
  Step,
} from '../../src/ledger/index.ts'

/** A transaction of this store is over before its call returns, so nothing slips in between. */
export class TappedStore extends MemoryStore {
  /** Told of each transaction once it is written. */
  onCommit: () => void = () => {}
  /** Told what a step came to, before it is written. */
  onStep: (result: unknown, changes: Changes) => void = () => {}

  #tap<View, Result>(step: (view: View) => Step<Result>): (view: View) => Step<Result> {
    return (view) => {
      const taken = step(view)
      this.onStep(taken.result, taken.changes)
      return taken
    }
  }

  #after<Result>(result: Promise<Result>): Promise<Result> {
    this.onCommit()
    return result
  }

  override withAccount<R>(id: AccountId, step: (view: AccountView) => Step<R>) {
    return this.#after(super.withAccount(id, this.#tap(step)))
  }

  override withMeasurement<R>(
    postId: PostId,
    horizonMs: number,
    step: (view: MeasurementView) => Step<R>,
  ) {
    return this.#after(super.withMeasurement(postId, horizonMs, this.#tap(step)))
  }

  override withPost<R>(postId: PostId, reach: Reach, step: (view: PostView) => Step<R>) {
    return this.#after(super.withPost(postId, reach, this.#tap(step)))
  }

  override withLook<R>(postId: PostId, step: (view: LookView) => Step<R>) {
    return this.#after(super.withLook(postId, this.#tap(step)))
  }

  override withClaim<R>(id: ActionId, reach: Reach, step: (view: ClaimView) => Step<R>) {
    return this.#after(super.withClaim(id, reach, this.#tap(step)))
  }

  override withAction<R>(
    id: ActionId,
    step: (view: ActionView, tally: readonly TallyEntry[]) => Step<R>,
    platformMs = 0,
  ) {
    const tapped = (view: ActionView, tally: readonly TallyEntry[]) => {
      const taken = step(view, tally)
      this.onStep(taken.result, taken.changes)
      return taken
    }
    return this.#after(super.withAction(id, tapped, platformMs))
  }

  override saveAccount(account: AccountRow, events: readonly NewEvent[]) {
    return this.#after(super.saveAccount(account, events))
  }

  override trackPosts(posts: readonly PostRow[]) {
    return this.#after(super.trackPosts(posts))
  }

  override recordOwnReplies(replies: readonly OwnReplyRow[]) {
    return this.#after(super.recordOwnReplies(replies))
  }

  override pause(pause: PauseRow, events: readonly NewEvent[]) {
    return this.#after(super.pause(pause, events))
  }

  override rest(pause: PauseRow, events: readonly NewEvent[]) {
    return this.#after(super.rest(pause, events))
  }

  override resume(scope: PauseRow['scope'], target: string, events: readonly NewEvent[]) {
    return this.#after(super.resume(scope, target, events))
  }
}
