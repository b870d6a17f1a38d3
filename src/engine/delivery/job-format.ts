/** Owns what a job looks like on the queue: its data, its key and how urgent it is. */

import { z } from 'zod'
import type { AccountId, ActionId, PostId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import type { ActionJob, CheckJob } from '../../ledger/postgres/jobs.ts'

/** Everything that a worker can be told to look at. */
export type WorkerJob =
  | ActionJob
  | CheckJob
  | { readonly kind: 'discover'; readonly accountId: AccountId; readonly at: Instant }
  | {
      readonly kind: 'measure'
      readonly accountId: AccountId
      readonly postId: PostId
      readonly horizonMs: number
    }

/** A person, or a send that was begun, waits for the first; nobody for the last. */
const priorities = { send: 20, reconcile: 20, measure: 10, discover: 10, check: 0 } as const

/** An approval and a retry come before a plan that nobody has heard of yet. */
const begunPriority = 30

/** From this on a job is worth a place that is kept free for it. */
export const urgentPriority = 20

export function priorityOf(job: WorkerJob): number {
  const isBegun = job.kind === 'send' && job.state !== 'planned'
  return isBegun ? begunPriority : priorities[job.kind]
}

/** Two jobs with one key are one job, as long as the first is not done. */
export function keyOf(job: WorkerJob): string {
  switch (job.kind) {
    case 'send':
    case 'reconcile':
      return `${job.kind} ${job.actionId} ${job.version}`
    case 'check':
      // Each post is handed out once at a time, so its batch is known by any of its posts.
      return `check ${job.postIds[0] ?? ''} ${job.until}`
    case 'discover':
      return `discover ${job.accountId} ${job.at}`
    case 'measure':
      return `measure ${job.postId} ${job.horizonMs}`
  }
}

/** When it may begin; null where that is at once. */
export function startOf(job: WorkerJob): Instant | null {
  return job.kind === 'send' || job.kind === 'reconcile' ? job.at : null
}

const instant = z.number()
const accountId = z.string().transform((id) => id as AccountId)
const postId = z.string().transform((id) => id as PostId)
const action = {
  actionId: z.string().transform((id) => id as ActionId),
  accountId,
  version: z.int(),
  state: z.enum(['planned', 'approved', 'waiting', 'unknown']),
  at: instant,
}

/** Another version of the program may have sent it, so what comes back is checked. */
const schema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('send'), ...action }),
  z.object({ kind: z.literal('reconcile'), ...action }),
  z.object({
    kind: z.literal('check'),
    accountId,
    postIds: z.array(postId).max(10_000),
    until: instant,
  }),
  z.object({ kind: z.literal('discover'), accountId, at: instant }),
  z.object({
    kind: z.literal('measure'),
    accountId,
    postId,
    horizonMs: z.number(),
  }),
])

/** Null where it means nothing to this version; what is due is found again without it. */
export function readJob(data: unknown): WorkerJob | null {
  const parsed = schema.safeParse(data)
  return parsed.success ? parsed.data : null
}
