/** Finds the rows that a job is about. Null where there is nothing to do about them any more. */

import type { Ledger } from '../../ledger/ledger.ts'
import type { ActionJob } from '../../ledger/postgres/jobs.ts'
import type { Piece } from '../handling.ts'
import type { WorkerJob } from './job-format.ts'

type Rows = Pick<Ledger, 'now' | 'getAction' | 'getPosts' | 'listMeasurements'>

export async function findPiece(ledger: Rows, job: WorkerJob): Promise<Piece | null> {
  const { accountId } = job
  switch (job.kind) {
    case 'send':
      // The claim knows whether the row has moved on.
      return { kind: 'send', id: job.actionId, accountId }
    case 'reconcile':
      return findUnknown(ledger, job)
    case 'discover':
      return { kind: 'discover', id: accountId, accountId }
    case 'measure': {
      const rows = await ledger.listMeasurements(job.postId)
      const due = rows.find(({ horizonMs }) => horizonMs === job.horizonMs)
      return due?.takenAt === null ? { kind: 'measure', due, accountId } : null
    }
    case 'check': {
      // They are handed out anew by then, and looked at twice if they were looked at here too.
      if ((await ledger.now()) >= job.until) return null
      const posts = await ledger.getPosts(job.postIds)
      const watched = posts.flatMap((post) => (post?.status === 'watched' ? [post] : []))
      return watched.length === 0 ? null : { kind: 'check', posts: watched, accountId }
    }
  }
}

/** A row that has moved on since sent a job of its own, or is not to be read back yet. */
async function findUnknown(ledger: Rows, job: ActionJob): Promise<Piece | null> {
  const row = await ledger.getAction(job.actionId)
  if (row?.version !== job.version) return null
  return { kind: 'reconcile', id: row.id, accountId: row.accountId }
}
