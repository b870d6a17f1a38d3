/** One turn of the embedded loop: finds in the ledger what is due, and has it done. */

import type { AccountId, ActionId, PostId } from '../core/ids.ts'
import type { PostRow } from '../ledger/rows.ts'
import { ClockWatch } from './clock-watch.ts'
import { Handling, idOf } from './handling.ts'
import type { Piece, ReportProblem } from './handling.ts'
import { inParallel } from './in-parallel.ts'
import type { Parts } from './parts.ts'
import { Rests } from './rests.ts'

const dueKinds = ['notice', 'reconcile', 'send', 'discover', 'check'] as const

interface Due {
  readonly notice: readonly ActionId[]
  readonly reconcile: readonly ActionId[]
  readonly send: readonly ActionId[]
  readonly discover: readonly AccountId[]
  readonly check: readonly PostId[]
}

/** Does all that is due, some accounts at once, the work of one account one after another. */
export class Turn {
  readonly #parts: Parts
  readonly #handling: Handling
  readonly #clockWatch: ClockWatch
  readonly #rests: Rests

  constructor(parts: Parts, report: ReportProblem) {
    this.#parts = parts
    this.#handling = new Handling(parts, report)
    this.#clockWatch = new ClockWatch(parts)
    this.#rests = new Rests(parts.clock, parts.settings.unreadAgainMs)
  }

  /** Returns how many pieces of work it took on. */
  async run(stopping: AbortSignal): Promise<number> {
    const { ledger, settings } = this.#parts
    const { batch } = settings
    await this.#clockWatch.check()
    const expired = await ledger.expire(batch, settings.settleDelayMs)
    const due = await this.#findDue()
    for (const id of due.notice) await ledger.noticeExpiry(id)
    const pieces = [...(await this.#actionsOf(due)), ...(await this.#readingsOf(due))]
    const byAccount = [...Map.groupBy(pieces, ({ accountId }) => accountId).values()]
    await inParallel(byAccount, settings.accountsAtOnce, async (list) => {
      for (const piece of list) {
        if (stopping.aborted) return
        if ((await this.#handling.run(piece)) === 'later') this.#rest(piece)
      }
    })
    return expired.length + pieces.length
  }

  /** It stays due. Posts that could not be read are put off in the ledger instead. */
  #rest(piece: Piece): void {
    if (piece.kind !== 'check') this.#rests.begin(piece.kind, idOf(piece))
  }

  /** What is due and does not rest. */
  async #findDue(): Promise<Due> {
    const { ledger, settings } = this.#parts
    const found = await ledger.dueOfEach(dueKinds, settings.batch + this.#rests.count)
    const due = dueKinds.map((kind, index) => {
      const ids = (found[index] ?? []).filter((id) => !this.#rests.has(kind, id))
      return [kind, ids.slice(0, settings.batch)]
    })
    return Object.fromEntries(due) as Due
  }

  /** Sends and read-backs come first: someone waits for them. */
  async #actionsOf(due: Due): Promise<readonly Piece[]> {
    const pieces: Piece[] = []
    for (const kind of ['reconcile', 'send'] as const) {
      for (const id of due[kind]) {
        const row = await this.#parts.ledger.getAction(id)
        if (row !== null) pieces.push({ kind, id, accountId: row.accountId })
      }
    }
    return pieces
  }

  async #readingsOf({ discover, check }: Due): Promise<readonly Piece[]> {
    const pieces: Piece[] = [...(await this.#dueMeasurements())]
    for (const id of discover) pieces.push({ kind: 'discover', id, accountId: id })
    const found = await this.#parts.ledger.getPosts(check)
    const due = found.filter((post): post is PostRow => post !== null)
    for (const [accountId, posts] of Map.groupBy(due, (post) => post.accountId)) {
      pieces.push({ kind: 'check', posts, accountId })
    }
    return pieces
  }

  async #dueMeasurements(): Promise<readonly Piece[]> {
    const { ledger, settings } = this.#parts
    const pieces: Piece[] = []
    const rows = await ledger.dueMeasurements(settings.batch + this.#rests.count)
    const awake = rows.filter(({ postId }) => !this.#rests.has('measure', postId))
    const posts = await ledger.getPosts(awake.map(({ postId }) => postId))
    for (const [index, due] of awake.entries()) {
      const post = posts[index] ?? null
      if (post !== null) pieces.push({ kind: 'measure', due, accountId: post.accountId })
    }
    return pieces
  }
}
