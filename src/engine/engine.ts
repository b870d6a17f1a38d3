/**
 * The engine: finds in the ledger what is due and does the next right thing about it. Handlers are
 * level-triggered, so that running one twice is harmless, and delivery only wakes them. Nothing is
 * remembered here: an engine that dies loses nothing that matters.
 */

import type { AccountId, ActionId, PostId } from '../core/ids.ts'
import { LedgerError } from '../ledger/ledger-error.ts'
import type { PostRow } from '../ledger/rows.ts'
import type { DueKind } from '../ledger/store.ts'
import { act } from './act.ts'
import { ClockWatch } from './clock-watch.ts'
import { discover } from './discover.ts'
import { evaluate } from './evaluate.ts'
import { measure } from './measure.ts'
import { observe } from './observe.ts'
import { assemble } from './parts.ts'
import type { EngineOptions, Parts } from './parts.ts'
import { reconcile } from './reconcile.ts'
import { Rests } from './rests.ts'

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
  const underWay = new Set<Promise<unknown>>()
  let running: Promise<void> | null = null
  const stop = async () => {
    stopping.abort('stopped')
    await Promise.allSettled([running, ...underWay])
  }
  const tick = () => {
    const ticked = turn.run(stopping.signal).finally(() => underWay.delete(ticked))
    underWay.add(ticked)
    return ticked
  }
  return {
    tick,
    start: () => (running ??= loop(parts, turn, options, stopping.signal)),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}

type ReportProblem = NonNullable<EngineOptions['onProblem']>

async function loop(
  parts: Parts,
  turn: Turn,
  { onProblem: report = () => {}, onTurn = () => {} }: EngineOptions,
  stopping: AbortSignal,
): Promise<void> {
  const { clock, settings } = parts
  const { batch, breathMs, idleMs } = settings
  let mayBeDue = true
  while (!stopping.aborted) {
    onTurn()
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
  readonly #rests: Rests

  constructor(parts: Parts, report: ReportProblem) {
    this.#parts = parts
    this.#report = report
    this.#clockWatch = new ClockWatch(parts)
    this.#rests = new Rests(parts.clock, parts.settings.unreadAgainMs)
  }

  async run(stopping: AbortSignal): Promise<number> {
    const { ledger, settings } = this.#parts
    const { batch } = settings
    await this.#clockWatch.check()
    const expired = await ledger.expire(batch, settings.settleDelayMs)
    for (const id of await ledger.due('notice', batch)) await ledger.noticeExpiry(id as ActionId)
    const queue = new AccountQueue()
    await this.#queueActions(queue)
    await this.#queueReadings(queue)
    await queue.run(settings.accountsAtOnce, stopping, async (work, account) => {
      if (this.#parts.limits.isSpent(account)) await this.#leave(work)
      else await this.#try(work)
    })
    return expired.length + queue.size
  }

  /** Its network's limit is nearly used up; others are not to wait behind it. */
  async #leave({ name, id, putOff }: Work): Promise<void> {
    if (putOff === undefined) this.#rests.begin(name, id)
    else await putOff()
  }

  /** One piece of work that fails does not keep the others from being done. False where it did. */
  async #try({ name, id, run }: Work): Promise<boolean> {
    try {
      await run()
      return true
    } catch (error) {
      if (isFatal(error)) throw error
      this.#report({ work: name, id, error })
      // A ledger that is busy or away comes back soon; whatever else it is will take longer.
      if (!(error instanceof LedgerError)) this.#rests.begin(name, id)
      return false
    }
  }

  /** What is due of one kind and does not rest. */
  async #due<Id extends string>(kind: DueKind): Promise<readonly Id[]> {
    const { ledger, settings } = this.#parts
    const ids = (await ledger.due(kind, settings.batch + this.#rests.count)) as readonly Id[]
    return ids.filter((id) => !this.#rests.has(kind, id)).slice(0, settings.batch)
  }

  /** Sends and read-backs come first: someone waits for them. */
  async #queueActions(queue: AccountQueue): Promise<void> {
    const { ledger } = this.#parts
    for (const kind of ['reconcile', 'send'] as const) {
      for (const id of await this.#due<ActionId>(kind)) {
        const row = await ledger.getAction(id)
        if (row === null) continue
        const run = () => (kind === 'send' ? act(this.#parts, id) : reconcile(this.#parts, id))
        queue.add(row.accountId, { name: kind, id, run })
      }
    }
  }

  async #queueReadings(queue: AccountQueue): Promise<void> {
    const { ledger } = this.#parts
    await this.#queueMeasurements(queue)
    for (const id of await this.#due<AccountId>('discover')) {
      queue.add(id, { name: 'discover', id, run: () => discover(this.#parts, id) })
    }
    const byAccount = new Map<AccountId, PostRow[]>()
    for (const id of await this.#due<PostId>('check')) {
      const post = await ledger.getPost(id)
      if (post === null) continue
      const list = byAccount.get(post.accountId)
      if (list === undefined) byAccount.set(post.accountId, [post])
      else list.push(post)
    }
    for (const [id, posts] of byAccount) {
      const putOff = () => this.#putOff(posts)
      queue.add(id, { name: 'check', id, run: () => this.#check(id, posts), putOff })
    }
  }

  async #queueMeasurements(queue: AccountQueue): Promise<void> {
    const { ledger, settings } = this.#parts
    const rows = await ledger.dueMeasurements(settings.batch + this.#rests.count)
    for (const due of rows.filter(({ postId }) => !this.#rests.has('measure', postId))) {
      const post = await ledger.getPost(due.postId)
      if (post === null) continue
      const run = async () => {
        const result = await measure(this.#parts, due)
        if (result === 'unread') this.#rests.begin('measure', due.postId)
      }
      queue.add(post.accountId, { name: 'measure', id: due.postId, run })
    }
  }

  async #check(id: AccountId, posts: readonly PostRow[]): Promise<void> {
    const account = await this.#parts.ledger.getAccount(id)
    if (account === null) return
    const decided = new Set<PostId>()
    try {
      const live = account.status === 'active' ? await observe(this.#parts, account, posts) : []
      for (const post of live) {
        const run = () => evaluate(this.#parts, account, post)
        if (await this.#try({ name: 'check', id: post.id, run })) decided.add(post.id)
      }
    } finally {
      await this.#putOff(posts.filter((post) => !decided.has(post.id)))
    }
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
  readonly run: () => Promise<void>
  /** What is done instead where it has to wait; without it, it rests. */
  readonly putOff?: () => Promise<void>
}

type DoWork = (work: Work, account: AccountId) => Promise<void>

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

  async run(atOnce: number, stopping: AbortSignal, doWork: DoWork) {
    if (this.size === 0) return
    const lists = [...this.#lists]
    let hasFailed = false
    const next = async (): Promise<void> => {
      for (let list = lists.shift(); list !== undefined; list = lists.shift()) {
        const [account, works] = list
        for (const work of works) {
          if (stopping.aborted || hasFailed) return
          await doWork(work, account).catch((error: unknown) => {
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
