/**
 * Owns when the chaos is over: everything was looked at and nothing is under way any more but what
 * waits for a person or for room in a budget (I5).
 */

import { minuteMs } from '../../src/core/duration.ts'
import { isOpen, states } from '../../src/core/states.ts'
import { sweepLease } from '../../src/engine/delivery/sweep.ts'
import { listWorkers } from '../../src/engine/delivery/presence.ts'
import type { ActionRow, Ledger, PostRow } from '../../src/ledger/index.ts'
import { readEvents, readPosts } from '../torture/read-all.ts'
import type { Fleet } from './fleet.ts'
import type { JobTable } from './job-table.ts'
import { call } from './owner.ts'
import { comesAbout } from './waiting.ts'
import { narrowAccounts } from './world.ts'

export interface RestParts {
  readonly ledger: Ledger
  readonly fleet: Fleet
  readonly jobs: JobTable
  /** Whether the time that a dead worker's lease and jobs take is skipped, or waited for. */
  readonly skipsSilence: boolean
  readonly mostMs: number
}

/** What has not come to rest within the bound, in words. */
export async function comeToRest(parts: RestParts): Promise<readonly string[]> {
  const { ledger, mostMs } = parts
  let left: readonly string[] = []
  let round = 0
  await comesAbout(
    mostMs,
    async () => {
      if (parts.skipsSilence) await skipSilence(parts)
      if (round % roundsPerLook === 0) await lookSoon(ledger)
      round += 1
      left = await listUnrest(ledger)
      return left.length === 0
    },
    roundMs,
  )
  return left
}

const roundMs = 250
/** A look that was asked for is given the time to happen before it is asked for again. */
const roundsPerLook = 12

/** After a quarter of a minute another leads, and after a minute lost jobs are given up. */
async function skipSilence({ ledger, fleet, jobs }: RestParts): Promise<void> {
  await jobs.giveUpOld()
  await letOthersLead(ledger, fleet)
}

/** The sweep's lease of a worker that is gone runs out now. */
export async function letOthersLead(ledger: Ledger, fleet: Fleet): Promise<void> {
  const alive = new Set(fleet.atWork.map(({ name }) => name))
  for (const { id, host } of await listWorkers(ledger)) {
    if (!alive.has(host)) await ledger.releaseLease(sweepLease, id)
  }
}

/** What was handed out to a worker that died is handed out again after ten minutes, or now. */
async function lookSoon(ledger: Ledger): Promise<void> {
  const unseen = (await listUnseen(ledger)).map(({ id }) => id)
  if (unseen.length > 0) await ledger.setNextCheckAt(unseen, await ledger.now())
}

/** Posts about which nobody has decided anything. */
async function listUnseen(ledger: Ledger): Promise<readonly PostRow[]> {
  const seen = new Set<string>()
  for (const { type, postId } of await readEvents(ledger)) {
    if (type === 'verdict' && postId !== null) seen.add(postId)
  }
  return (await readPosts(ledger)).filter(({ id }) => !seen.has(id))
}

const movingStates = states.filter((state) => isOpen(state) && state !== 'needs_attention')

async function listUnrest(ledger: Ledger): Promise<readonly string[]> {
  const now = await call(() => ledger.now())
  const page = { after: null, limit: 500 }
  const open = await ledger.listActions({ states: movingStates }, page)
  const moving = open.filter((row) => !waitsForRoom(row, now))
  const unseen = await listUnseen(ledger)
  return [
    ...moving.map(({ id, state, accountId }) => `${id} of ${accountId} is still ${state}`),
    ...unseen.map(({ id }) => `nobody has looked at ${id}`),
  ]
}

/** Its account has used up its hour. */
function waitsForRoom({ accountId, state, dueAt }: ActionRow, now: number): boolean {
  const mayWait = state === 'planned' || state === 'approved' || state === 'waiting'
  return narrowAccounts.has(accountId) && mayWait && (dueAt ?? 0) > now + 5 * minuteMs
}
