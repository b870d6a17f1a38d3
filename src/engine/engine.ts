/**
 * The engine: finds in the ledger what is due and does the next right thing about it. Handlers are
 * level-triggered, so that running one twice is harmless, and delivery only wakes them. Nothing is
 * remembered here: an engine that dies loses nothing that matters.
 */

import type { AccountId, ActionId, PostId } from '../core/ids.ts'
import { LedgerError } from '../ledger/ledger-error.ts'
import type { PostRow } from '../ledger/rows.ts'
import { act } from './act.ts'
import { ClockWatch } from './clock-watch.ts'
import { discover } from './discover.ts'
import { evaluate } from './evaluate.ts'
import { measure } from './measure.ts'
import { observe } from './observe.ts'
import { assemble } from './parts.ts'
import type { EngineOptions, Parts } from './parts.ts'
import { reconcile } from './reconcile.ts'

export interface Engine extends AsyncDisposable {
  /** Works until stopped. Rejects where the ledger cannot be used any more. */
  start(): Promise<void>
  /** Begins nothing new and waits for what is under way: no send is cut off. */
  stop(): Promise<void>
  /** One turn: everything that is due now. Returns how many pieces of work it took on. */
  tick(): Promise<number>
}

export function createEngine(options: EngineOptions): Engine {
  const parts = assemble(options)
  const report = options.onProblem ?? (() => {})
  const turn = new Turn(parts, report)
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  const stop = async () => {
    stopping.abort()
    await running?.catch(() => {})
  }
  return {
    tick: () => turn.run(stopping.signal),
    start: () => (running ??= loop(parts, turn, report, stopping.signal)),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

type ReportProblem = NonNullable<EngineOptions['onProblem']>

async function loop(
  parts: Parts,
  turn: Turn,
  report: ReportProblem,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, settings } = parts
  const { batch, breathMs, idleMs } = settings
  let mayBeDue = true
  while (!stopping.aborted) {
    try {
      // A full batch means that more is due already.
      if (mayBeDue && (await turn.run(stopping)) >= batch) continue
      const waitMs = await untilDue(parts)
      // After an idle wait the ledger is asked whether there is anything to do, and no more.
      mayBeDue = waitMs <= idleMs
      await clock.sleep(Math.min(idleMs, Math.max(breathMs, waitMs)), stopping)
    } catch (error) {
      // A ledger that is busy or away comes back; there is work then.
      if (isFatal(error)) throw error
      report({ work: 'turn', id: '', error })
      await clock.sleep(breathMs, stopping)
    }
  }
}

async function untilDue({ ledger }: Parts): Promise<number> {
  const next = (await ledger.nextDueAt()) ?? Infinity
  return next - (await ledger.now())
}

/** Does all that is due, some accounts at once, the work of one account one after another. */
class Turn {
  readonly #parts: Parts
  readonly #report: ReportProblem
  readonly #clockWatch: ClockWatch

  constructor(parts: Parts, report: ReportProblem) {
    this.#parts = parts
    this.#report = report
    this.#clockWatch = new ClockWatch(parts)
  }

  async run(stopping: AbortSignal): Promise<number> {
    const { ledger, settings } = this.#parts
    const { batch } = settings
    const maySend = await this.#clockWatch.check()
    const expired = await ledger.expire(batch, settings.settleDelayMs)
    for (const id of await ledger.due('notice', batch)) await ledger.noticeExpiry(id as ActionId)
    const queue = new AccountQueue()
    if (maySend) await this.#queueActions(queue)
    await this.#queueReadings(queue)
    await queue.run(settings.accountsAtOnce, stopping, async (work) => {
      try {
        await work.run()
      } catch (error) {
        if (isFatal(error)) throw error
        this.#report({ work: work.name, id: work.id, error })
      }
    })
    return expired.length + queue.size
  }

  /** Sends and read-backs come first: someone waits for them. */
  async #queueActions(queue: AccountQueue): Promise<void> {
    const { ledger, settings } = this.#parts
    for (const kind of ['reconcile', 'send'] as const) {
      for (const id of (await ledger.due(kind, settings.batch)) as ActionId[]) {
        const row = await ledger.getAction(id)
        if (row === null) continue
        const run = () => (kind === 'send' ? act(this.#parts, id) : reconcile(this.#parts, id))
        queue.add(row.accountId, { name: kind, id, run })
      }
    }
  }

  async #queueReadings(queue: AccountQueue): Promise<void> {
    const { ledger, settings } = this.#parts
    for (const due of await ledger.dueMeasurements(settings.batch)) {
      const post = await ledger.getPost(due.postId)
      if (post === null) continue
      const run = () => measure(this.#parts, due)
      queue.add(post.accountId, { name: 'measure', id: due.postId, run })
    }
    for (const id of (await ledger.due('discover', settings.batch)) as AccountId[]) {
      queue.add(id, { name: 'discover', id, run: () => discover(this.#parts, id) })
    }
    const byAccount = new Map<AccountId, PostRow[]>()
    for (const id of (await ledger.due('check', settings.batch)) as PostId[]) {
      const post = await ledger.getPost(id)
      if (post === null) continue
      const list = byAccount.get(post.accountId) ?? []
      byAccount.set(post.accountId, [...list, post])
    }
    for (const [id, posts] of byAccount) {
      queue.add(id, { name: 'check', id, run: () => this.#check(id, posts) })
    }
  }

  async #check(id: AccountId, posts: readonly PostRow[]): Promise<void> {
    const account = await this.#parts.ledger.getAccount(id)
    if (account === null) return
    const live = account.status === 'active' ? await observe(this.#parts, account, posts) : []
    for (const post of live) await evaluate(this.#parts, account, post)
    await this.#putOff(posts.filter((post) => !live.includes(post)))
  }

  /** What could not be read is tried again later, and does not stand in the way until then. */
  async #putOff(posts: readonly PostRow[]): Promise<void> {
    if (posts.length === 0) return
    const { ledger, settings } = this.#parts
    const ids = posts.map(({ id }) => id)
    await ledger.setNextCheckAt(ids, (await ledger.now()) + settings.unreadAgainMs)
  }
}

/** A ledger that is damaged or newer than the program stops the engine (I10). */
function isFatal(error: unknown): boolean {
  return error instanceof LedgerError && ['damaged', 'newer', 'foreign'].includes(error.kind)
}

interface Work {
  readonly name: string
  readonly id: string
  run(): Promise<void>
}

/** Work by account: one piece at a time for each, several accounts side by side. */
class AccountQueue {
  readonly #lists = new Map<AccountId, Work[]>()
  size = 0

  add(account: AccountId, work: Work): void {
    const list = this.#lists.get(account)
    if (list === undefined) this.#lists.set(account, [work])
    else list.push(work)
    this.size += 1
  }

  async run(atOnce: number, stopping: AbortSignal, doWork: (work: Work) => Promise<void>) {
    const lists = [...this.#lists.values()]
    let hasFailed = false
    const next = async (): Promise<void> => {
      for (let list = lists.shift(); list !== undefined; list = lists.shift()) {
        for (const work of list) {
          if (stopping.aborted || hasFailed) return
          await doWork(work).catch((error: unknown) => {
            hasFailed = true
            throw error
          })
        }
      }
    }
    // What is under way ends before the turn does, also where it ends in failure.
    const workers = Array.from({ length: Math.min(atOnce, lists.length) }, next)
    await Promise.allSettled(workers)
    await Promise.all(workers)
  }
}
