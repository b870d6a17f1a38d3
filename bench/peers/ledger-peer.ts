/**
 * The standard policy on a ledger in SQLite that took over the same records. A decision reads all
 * it needs from the ledger; an action is claimed and settled, in two transactions that are flushed.
 */

import { join } from 'node:path'
import { everythingSupported } from '../../src/core/capabilities.ts'
import { decide } from '../../src/core/decide.ts'
import { minuteMs } from '../../src/core/duration.ts'
import type { ActionId, PostId } from '../../src/core/ids.ts'
import { openSqliteLedger } from '../../src/ledger/index.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import { systemClock } from '../../src/system.ts'
import { refused } from '../../src/testing/ledger/world.ts'
import { claimOf, newPost } from '../../test/torture/ledger-rows.ts'
import { accountOf, addPlans, benchPolicy, claimLeaseMs, samplesOf } from '../ledger/workload.ts'
import { perRound, recordsOf, rounds } from './workload.ts'
import type { Peer, Size } from './workload.ts'

const posts = 64

export async function openLedgerPeer(folder: string, size: Size): Promise<Peer> {
  const path = join(folder, `ledger-${size}.db`)
  const ledger = await openSqliteLedger({ path, clock: systemClock })
  const postIds = await fill(ledger, size)
  const count = (rounds.warmUp + rounds.action) * perRound.ledger.action[size]
  const plans = (await addPlans(ledger, 'claim', count)).values()
  return {
    name: 'ledger',
    decide: (times) => processorTimeOf(times, (index) => decideOn(ledger, postIds[index % posts])),
    record: (times) =>
      elapsedTimeOf(times, async () => {
        const { value: plan } = plans.next()
        await claimAndSettle(ledger, plan)
      }),
    [Symbol.asyncDispose]: () => ledger[Symbol.asyncDispose](),
  }
}

/** The posts to decide on belong to the account whose records they are. */
async function fill(ledger: Ledger, size: Size): Promise<readonly PostId[]> {
  await ledger.savePolicy(benchPolicy)
  const owner = accountOf('owner')
  await ledger.saveAccount(owner)
  const taken = await ledger.importClassic(owner.id, recordsOf(size))
  if (taken !== size) throw new Error(`${taken} of ${size} records were taken over`)
  const now = await ledger.now()
  const asked = Array.from({ length: posts }, (_, number) => newPost(`asked-${number}`, owner, now))
  await ledger.trackPosts(asked)
  await ledger.recordSamples(asked.flatMap((post) => samplesOf(post, now)))
  const ids = asked.map(({ id }) => id)
  for (const id of ids) await lookBefore(ledger, id)
  return ids
}

/** Looks enough that the next decision goes through every guard and comes to a plan. */
async function lookBefore(ledger: Ledger, id: PostId): Promise<void> {
  const input = await ledger.decisionInput(id, benchPolicy, everythingSupported)
  if (input === null) throw new Error(`${id} is not there`)
  for (const minutesAgo of [45, 30, 15]) {
    const at = input.now - minutesAgo * minuteMs
    const samples = input.samples.filter((sample) => sample.at <= at)
    const verdict = decide({ ...input, samples, now: at })
    await ledger.recordVerdict(id, { verdict, nextCheckAt: null })
  }
}

async function decideOn(ledger: Ledger, id: PostId | undefined): Promise<void> {
  const input =
    id === undefined ? null : await ledger.decisionInput(id, benchPolicy, everythingSupported)
  const verdict = input === null ? null : decide(input)
  if (verdict?.kind !== 'plan') throw new Error(`Must come to a plan: ${JSON.stringify(verdict)}`)
}

async function claimAndSettle(ledger: Ledger, actionId: ActionId | undefined): Promise<void> {
  if (actionId === undefined) throw new Error('There are no plans left')
  const token = `token-${actionId}`
  const claimed = await ledger.claim(claimOf(actionId, token, benchPolicy, claimLeaseMs))
  if (claimed.kind !== 'claimed') throw new Error(`Not claimed: ${JSON.stringify(claimed)}`)
  const settlement = { kind: 'failed', fault: refused } as const
  await ledger.settle({ actionId, token, attemptId: null, settlement })
}

async function processorTimeOf(
  count: number,
  operation: (index: number) => Promise<void>,
): Promise<number> {
  const started = process.cpuUsage()
  for (let index = 0; index < count; index += 1) await operation(index)
  const { user, system } = process.cpuUsage(started)
  return ((user + system) / count) * 1000
}

async function elapsedTimeOf(count: number, operation: () => Promise<void>): Promise<number> {
  const startedMs = performance.now()
  for (let index = 0; index < count; index += 1) await operation()
  return ((performance.now() - startedMs) / count) * 1e6
}
