/**
 * Finds what is due and nobody was told of, for all workers together: one of them leads at a time.
 * Checks are always handed out here, in batches of one account. Jobs for actions are sent along
 * with their rows, and only those that were lost are sent again.
 */

import type { AccountId, ActionId } from '../../core/ids.ts'
import type { HandingOut, DuePlace } from '../../ledger/postgres/jobs.ts'
import type { Parts } from '../parts.ts'
import type { WorkerJob } from './job-format.ts'
import type { Queue } from './queue.ts'
import { saveDeliveryState } from './presence.ts'

export interface SweepParts {
  readonly parts: Parts
  readonly queue: Queue
  readonly handingOut: HandingOut
  /** Who this worker is among the others. */
  readonly owner: string
}

export const sweepLease = 'sweep'

/** Another worker leads after so long without a word from this one. */
const leaseMs = 10_000
/** How many rows of one kind are looked at in one statement. */
const page = 1000
/** While so many jobs could begin already, no more posts are handed out. */
const mostReady = 200
/** A post that was handed out and not looked at is handed out again after this. */
const handOutForMs = 5 * 60_000
/** More go in one job than most networks answer for at once, so that their reads are full. */
const postsPerJob = 100

export class Sweep {
  readonly #given: SweepParts
  /** Where the next look for lost jobs begins, so that a pass gets past those that rest. */
  #place: DuePlace | null = null

  constructor(given: SweepParts) {
    this.#given = given
  }

  /** True where more was due than was handed out, and there is room for it. */
  async run(): Promise<boolean> {
    const { parts, owner, queue } = this.#given
    const { ledger, settings } = parts
    if (!(await ledger.takeLease(sweepLease, owner, leaseMs))) return false
    await ledger.expire(page, settings.settleDelayMs)
    for (const id of await ledger.due('notice', page)) await ledger.noticeExpiry(id as ActionId)
    await this.#sendLost()
    await queue.send(await this.#dueReadings())
    const hasMore = await this.#handOut()
    await this.#saveState()
    return hasMore
  }

  /** A job that is on the queue, or is being done, is not doubled by this. */
  async #sendLost(): Promise<void> {
    const { handingOut, queue } = this.#given
    const jobs = await handingOut.listDueActions(this.#place, page)
    this.#place = jobs.length < page ? null : (jobs.at(-1) ?? null)
    await queue.send(jobs)
  }

  async #dueReadings(): Promise<readonly WorkerJob[]> {
    const { ledger } = this.#given.parts
    const ids = (await ledger.due('discover', page)) as readonly AccountId[]
    const accounts = await Promise.all(ids.map((id) => ledger.getAccount(id)))
    const jobs: WorkerJob[] = accounts.flatMap((account) => {
      if (account === null || account.discoverAt === null) return []
      return [{ kind: 'discover', accountId: account.id, at: account.discoverAt }]
    })
    const due = await ledger.dueMeasurements(page)
    const posts = await ledger.getPosts(due.map(({ postId }) => postId))
    for (const [index, post] of posts.entries()) {
      const horizonMs = due[index]?.horizonMs ?? 0
      if (post === null) continue
      jobs.push({ kind: 'measure', accountId: post.accountId, postId: post.id, horizonMs })
    }
    return jobs
  }

  async #handOut(): Promise<boolean> {
    const { handingOut, queue } = this.#given
    const room = mostReady - (await queue.countReady(mostReady))
    if (room <= 0) return false
    const limit = room * postsPerJob
    const taken = await handingOut.handOutChecks({ limit, batch: postsPerJob, forMs: handOutForMs })
    return taken >= limit
  }

  async #saveState(): Promise<void> {
    const { parts, queue, handingOut, owner } = this.#given
    const [ready, lag] = await Promise.all([queue.countReady(10 * mostReady), handingOut.readLag()])
    await saveDeliveryState(parts.ledger, { leader: owner, ready, ...lag })
  }
}
