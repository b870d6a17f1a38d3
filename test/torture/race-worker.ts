/**
 * One of several processes that race for the same plans: claims whatever is due, sends it, settles
 * it and plans what follows, until nothing is left to do. Says what it was given and what held it.
 */

import type { ActionId, PostId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import { dayMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import { isEnded } from '../../src/core/states.ts'
import type { State } from '../../src/core/states.ts'
import type { Until } from '../../src/core/until.ts'
import type { ActionRow, PostRow } from '../../src/ledger/rows.ts'
import type { Settlement } from '../../src/ledger/steps/settle.ts'
import { seededRandom } from '../../src/platform/simulated/seeded-random.ts'
import { systemClock } from '../../src/system.ts'
import { refused, success } from '../../src/testing/ledger/world.ts'
import { claimOf, planOf } from './ledger-rows.ts'
import { openLedger, untilDone } from './open-ledger.ts'
import type { StoreAddress } from './open-ledger.ts'
import { racePolicy as policy } from './race-world.ts'
import { readPosts } from './read-all.ts'
import { SharedClock } from './shared-clock.ts'
import { hear, readTask, say } from './worker-process.ts'

export interface RaceTask {
  readonly name: string
  readonly seed: string
  readonly address: StoreAddress
  /** Where the clock starts, or null for the server's own. There nobody waits for what is held. */
  readonly startAt: Instant | null
}

export type RaceMessage =
  | { readonly say: 'ready' }
  | { readonly say: 'claimed'; readonly actionId: ActionId; readonly token: string }
  | { readonly say: 'done'; readonly holds: Readonly<Record<string, number>> }

/** Longer than the race: a claim is only ever given back by the one that has it. */
const leaseMs = 7 * dayMs
const deadlineMs = 20 * secondMs
/** How far time moves on when nothing can be done by anyone. */
const stepMs = 10 * minuteMs
const restMs = 5
/** As many calls are under way at once, so that they share transactions. */
const together = 8
/** All look at the same few, so that they want the same. */
const mostAtOnce = 32
const mostRounds = 20_000

const task = readTask() as RaceTask
const random = seededRandom(`${task.seed}:${task.name}`)
const clock = task.startAt === null ? null : new SharedClock(task.startAt)
const ledger = await openLedger(task.address, clock)
const posts = new Map<PostId, PostRow>((await readPosts(ledger)).map((post) => [post.id, post]))
const holds = new Map<string, number>()
/** Posts whose comment is over, with when to try their edit. */
const toFollow = new Map<PostId, Instant>()
let counter = 0

say({ say: 'ready' } satisfies RaceMessage)
await hear()
await race()
say({ say: 'done', holds: Object.fromEntries(holds) } satisfies RaceMessage)
await ledger[Symbol.asyncDispose]()

async function race(): Promise<void> {
  for (let round = 0; round < mostRounds; round += 1) {
    const due = await call(() => ledger.due('send', mostAtOnce))
    // All are claimed before the first is sent, so that many stand before the platform at once.
    const claimed = await inGroups(shuffled(due), (id) => claim(id as ActionId))
    await inGroups(
      claimed.filter((action) => action !== null),
      send,
    )
    const now = await call(() => ledger.now())
    const ripe = [...toFollow].filter(([, at]) => at <= now).map(([id]) => id)
    await inGroups(shuffled(ripe), follow)
    if (due.length > 0 || ripe.length > 0) continue
    if (clock === null) return
    if (await isAny('running')) await systemClock.sleep(restMs)
    else if (toFollow.size > 0 || (await isAny('planned', 'waiting'))) clock.moveTo(now + stepMs)
    else return
  }
  throw new Error(`The race is not over after ${mostRounds} rounds`)
}

/** The row, where it was given to this worker. */
async function claim(actionId: ActionId): Promise<ActionRow | null> {
  const token = `${task.name}:${(counter += 1)}`
  const claimed = await call(() => ledger.claim(claimOf(actionId, token, policy, leaseMs)))
  switch (claimed.kind) {
    case 'claimed':
      say({ say: 'claimed', actionId, token } satisfies RaceMessage)
      return claimed.action
    case 'held':
      note(claimed.reason)
      return null
    case 'taken':
      note('taken')
      // Losers plan what follows as well as the winner: only one of them may succeed.
      if (isEnded(claimed.state)) await followAction(actionId)
      return null
    case 'ended':
    case 'spent':
      throw new Error(`${actionId} should not end by itself: ${claimed.reason}`)
  }
}

async function send(action: ActionRow): Promise<void> {
  const { id: actionId, token } = action
  if (token === null) throw new Error(`${actionId} is claimed and has no token`)
  const attemptId = `${token}:attempt`
  const command = { actionId, token, attemptId, segment: 0, prepared: null, deadlineMs, policy }
  const begun = await call(() => ledger.beginAttempt(command))
  switch (begun.kind) {
    case 'begun': {
      const settlement: Settlement = random.chance(0.85)
        ? success
        : { kind: 'failed', fault: refused }
      await call(() => ledger.settle({ actionId, token, attemptId, settlement }))
      if (action.action === 'comment') toFollow.set(action.postId, 0)
      return
    }
    case 'held': {
      note(begun.reason)
      const { reason, until } = begun
      const settlement = { kind: 'released', reason, retryAt: timeOf(until) } as const
      await call(() => ledger.settle({ actionId, token, attemptId: null, settlement }))
      return
    }
    case 'lost':
      throw new Error(`${actionId} was lost although its lease outlasts the race`)
  }
}

async function followAction(id: ActionId): Promise<void> {
  const action = await call(() => ledger.getAction(id))
  if (action?.action === 'comment' && !toFollow.has(action.postId)) toFollow.set(action.postId, 0)
}

/** Plans the edit that follows a comment, unless someone has. */
async function follow(postId: PostId): Promise<void> {
  const post = posts.get(postId)
  if (post === undefined) throw new Error(`${postId} is not in this race`)
  const result = await call(() =>
    ledger.plan(planOf(`${postId}-edit-${task.name}`, post, policy, 'edit')),
  )
  switch (result.kind) {
    case 'planned':
    case 'stale':
      toFollow.delete(postId)
      return
    case 'held':
      note(result.reason)
      toFollow.set(postId, timeOf(result.until))
      // Another one was faster.
      if (result.reason === 'open_action') toFollow.delete(postId)
      return
    case 'held_out':
      throw new Error(`${postId} was held out although every draw says to act`)
  }
}

async function isAny(...states: readonly State[]): Promise<boolean> {
  const page = { after: null, limit: 1 }
  return (await call(() => ledger.listActions({ states }, page))).length > 0
}

function timeOf(until: Until): Instant {
  if (until.kind === 'time') return until.at
  return clock === null ? Infinity : clock.now() + minuteMs
}

/** Counts what kept it from a claim. */
function note(reason: string): void {
  holds.set(reason, (holds.get(reason) ?? 0) + 1)
}

function call<Result>(run: () => Promise<Result>): Promise<Result> {
  return untilDone(task.address, run)
}

async function inGroups<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = []
  for (let from = 0; from < items.length; from += together) {
    results.push(...(await Promise.all(items.slice(from, from + together).map(run))))
  }
  return results
}

function shuffled<Item>(items: readonly Item[]): readonly Item[] {
  return items
    .map((item) => ({ item, at: random.fraction() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item)
}
