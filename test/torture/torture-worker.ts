/**
 * A worker that is killed at any moment: tracks posts, plans, claims, sends, settles, frees what
 * dead workers left and looks for what they sent. Says each thing once the ledger acknowledged it.
 */

import { secondMs } from '../../src/core/duration.ts'
import type { ActionId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import type { ActionRow, AttemptRow } from '../../src/ledger/rows.ts'
import type { Finding } from '../../src/ledger/steps/reconcile.ts'
import type { Settlement } from '../../src/ledger/steps/settle.ts'
import { seededRandom } from '../../src/platform/simulated/seeded-random.ts'
import { refused, success, timedOut } from '../../src/testing/ledger/world.ts'
import type { Acknowledgement } from './acknowledgement.ts'
import { beginning, claimOf, newAccount, newPost, planOf, stalledSamples } from './ledger-rows.ts'
import { readNetwork, sendTo } from './network-file.ts'
import { openLedger, untilDone } from './open-ledger.ts'
import type { StoreAddress } from './open-ledger.ts'
import { SharedClock } from './shared-clock.ts'
import { deadlineMs, leaseMs, settleDelayMs, torturePolicy as policy } from './torture-world.ts'
import { readTask, say } from './worker-process.ts'

export interface TortureTask {
  /** One that no other worker has had. */
  readonly name: string
  readonly seed: string
  readonly address: StoreAddress
  readonly network: string
}

/** Strands of work in one process, so that calls share transactions. */
const strands = 3
/** No more is planned while this much waits to be sent. */
const enough = 20
const accounts = 3
const segmentsOf = { comment: 1, edit: 1, thread: 2 } as const

/** What a settlement says of the send that it settles. */
const resultOf = {
  segment_landed: 'landed',
  success: 'landed',
  partial: 'not_landed',
  failed: 'not_landed',
  waiting: 'not_landed',
  released: null,
  unknown: 'unknown',
} as const

const task = readTask() as TortureTask
const random = seededRandom(`${task.seed}:${task.name}`)
const clock = new SharedClock(beginning)
const ledger = await openLedger(task.address, clock)
let counter = 0

await setUp()
acknowledge({ kind: 'open' })
await Promise.all(Array.from({ length: strands }, live))

/** Every worker does it, as any of them may be the first. */
async function setUp(): Promise<void> {
  await call(() => ledger.savePolicy(policy))
  for (let number = 0; number < accounts; number += 1) {
    await call(() => ledger.saveAccount(newAccount(`account-${number}`, 'bluesky', policy)))
  }
  clock.moveTo(await call(() => ledger.now()))
}

/** Until it is killed. */
async function live(): Promise<never> {
  for (;;) {
    clock.advance(random.between(100, secondMs))
    const due = await call(() => ledger.due('send', enough))
    const roll = random.fraction()
    if (roll < 0.08) await expire()
    else if (roll < 0.16) await reconcile()
    else if (roll < 0.2) await seal()
    else if (due.length === enough || roll < 0.6) await work(due)
    else await plan()
  }
}

async function plan(): Promise<void> {
  const name = nextName()
  const account = newAccount(
    `account-${Math.floor(random.between(0, accounts))}`,
    'bluesky',
    policy,
  )
  const now = clock.now()
  const post = newPost(`post-${name}`, account, now)
  const samples = stalledSamples(post, now)
  await call(() => ledger.trackPosts([post]))
  await call(() => ledger.recordSamples(samples))
  acknowledge({ kind: 'post', postId: post.id, samples: samples.length })
  const action = random.chance(0.3) ? 'thread' : 'comment'
  const planned = await call(() => ledger.plan(planOf(`action-${name}`, post, policy, action)))
  if (planned.kind === 'planned') acknowledge({ kind: 'action', row: planned.action })
}

async function work(due: readonly string[]): Promise<void> {
  const id = due[Math.floor(random.between(0, due.length))]
  if (id === undefined) return
  const token = `token-${nextName()}`
  const claimed = await call(() => ledger.claim(claimOf(id as ActionId, token, policy, leaseMs)))
  if ('action' in claimed) acknowledge({ kind: 'action', row: claimed.action })
  if (claimed.kind !== 'claimed') return
  // What it comes to in the end is the last part's; those before it are out and stay out.
  const last = segmentsOf[claimed.action.action] - 1
  let segment = new Set(claimed.attempts.filter(isLanded).map((attempt) => attempt.segment)).size
  for (; segment <= last; segment += 1) {
    const ends = await send(claimed.action, token, segment, segment === last)
    if (ends) return
  }
  // All parts were out before: only the end was missing.
  if (claimed.attempts.some(isLanded)) await settle(claimed.action.id, token, null, success)
}

/** Whether the claim came to an end with it. */
async function send(row: ActionRow, token: string, segment: number, isLast: boolean) {
  const attemptId = `attempt-${nextName()}`
  const prepared = { record: attemptId }
  const begun = await call(() =>
    ledger.beginAttempt({
      actionId: row.id,
      token,
      attemptId,
      segment,
      prepared,
      deadlineMs,
      policy,
    }),
  )
  if (begun.kind !== 'begun') return true
  acknowledge({ kind: 'attempt', attempt: begun.attempt })
  const roll = random.fraction()
  const retryAt = clock.now() + secondMs
  if (roll < 0.1) {
    await settle(row.id, token, attemptId, { kind: 'waiting', fault: refused, retryAt })
    return true
  }
  if (roll < 0.2 && segment === 0) {
    await settle(row.id, token, attemptId, { kind: 'failed', fault: refused })
    return true
  }
  sendTo(task.network, { key: row.key, segment, attemptId })
  // It hangs, as if it had died.
  if (roll < 0.25) return true
  if (roll < 0.35) {
    const reconcileAt = clock.now() + secondMs
    await settle(row.id, token, attemptId, { kind: 'unknown', fault: timedOut, reconcileAt })
    return true
  }
  const landed: Settlement = isLast ? success : { kind: 'segment_landed', remoteId: attemptId }
  return (await settle(row.id, token, attemptId, landed)) === 'late' || isLast
}

async function settle(
  actionId: ActionId,
  token: string,
  attemptId: string | null,
  settlement: Settlement,
): Promise<'settled' | 'late'> {
  const command = { actionId, token, attemptId, settlement }
  const settled = await call(() => ledger.settle(command))
  const result = resultOf[settlement.kind]
  if (attemptId !== null && result !== null) acknowledge({ kind: 'result', attemptId, result })
  acknowledge({ kind: 'action', row: settled.action })
  return settled.kind
}

async function expire(): Promise<void> {
  const freed = await call(() => ledger.expire(enough, settleDelayMs))
  for (const row of freed) acknowledge({ kind: 'action', row })
}

/** Looks on the network for what a send may have left there, and never sends again by itself. */
async function reconcile(): Promise<void> {
  const [id] = await call(() => ledger.due('reconcile', 1))
  const row = id === undefined ? null : await call(() => ledger.getAction(id as ActionId))
  if (row === null) return
  const last = (await call(() => ledger.listAttempts(row.id))).at(-1)
  const finding = find(row, last, clock.now())
  const command = { actionId: row.id, version: row.version, finding }
  const resolved = await call(() => ledger.reconcile(command))
  acknowledge({ kind: 'action', row: resolved.action })
}

function find({ action }: ActionRow, last: AttemptRow | undefined, now: Instant): Finding {
  const isThere = readNetwork(task.network).some(({ attemptId }) => attemptId === last?.id)
  if (last === undefined || !isThere) return { kind: 'needs_attention', reason: 'not found' }
  const { id: remoteId, segment } = last
  return segment < segmentsOf[action] - 1
    ? { kind: 'segment_landed', remoteId, resumeAt: now }
    : { kind: 'landed', remoteId, outcome: null }
}

async function seal(): Promise<void> {
  acknowledge({ kind: 'sealed', entries: await call(() => ledger.seal(100)) })
}

function isLanded({ result }: AttemptRow): boolean {
  return result === 'landed'
}

function nextName(): string {
  counter += 1
  return `${task.name}-${counter}`
}

function acknowledge(ack: Acknowledgement): void {
  say(ack)
}

function call<Result>(run: () => Promise<Result>): Promise<Result> {
  return untilDone(task.address, run)
}
