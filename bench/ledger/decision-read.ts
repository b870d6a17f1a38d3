/**
 * Measures what a decision reads, in ledgers that differ only in how much lies behind: the same
 * posts, readings and budgets, with a thousand to a million actions of the same accounts before.
 */

import { everythingSupported } from '../../src/core/capabilities.ts'
import { decide } from '../../src/core/decide.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import { toActionId } from '../../src/core/ids.ts'
import type { PostId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import { actionKey } from '../../src/core/key.ts'
import { policyId } from '../../src/core/policy.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { AccountRow, ActionRow, PostRow } from '../../src/ledger/rows.ts'
import { hashText } from '../../src/ledger/steps/plan.ts'
import type { ImportRows, Store } from '../../src/ledger/store.ts'
import { newPost } from '../../test/torture/ledger-rows.ts'
import { medianNs, medianRatio, takeTurns } from '../core/rounds.ts'
import type { Ground, OpenedLedger } from './ground.ts'
import { accountOf, benchPolicy, samplesOf } from './workload.ts'

export interface ReadFigure {
  readonly actions: number
  readonly microsecondsEach: number
  /** Of what it takes in the smallest ledger. */
  readonly ratio: number
}

const accounts = 10
/** As many as the standard policy allows, so that the day is full in every ledger. */
const actionsPerDay = 25
/** Posts that are decided on: young ones, as in life. */
const posts = 200
const looks = 3
const rounds = 25
const warmUp = 5
const batch = 2000

export async function measureReads(
  ground: Ground,
  sizes: readonly number[],
): Promise<readonly ReadFigure[]> {
  await using stack = new AsyncDisposableStack()
  const contestants = []
  for (const size of sizes) {
    const name = nameOf(size)
    const ids = await fill(ground, name, size)
    const { ledger } = stack.use(await ground.open(name))
    contestants.push({ name, round: () => readAll(ledger, ids) })
  }
  const taken = await takeTurns(contestants, { rounds, warmUp })
  const base = nameOf(sizes[0] ?? 0)
  return sizes.map((actions) => ({
    actions,
    microsecondsEach: medianNs(taken, nameOf(actions)) / 1000,
    ratio: medianRatio(taken, nameOf(actions), base),
  }))
}

function nameOf(size: number): string {
  return `reads-${size}`
}

async function readAll(ledger: Ledger, ids: readonly PostId[]): Promise<number> {
  const startedMs = performance.now()
  for (const id of ids) await ledger.decisionInput(id, benchPolicy, everythingSupported)
  return ((performance.now() - startedMs) / ids.length) * 1e6
}

/** Returns the posts to be decided on. */
async function fill(ground: Ground, name: string, size: number): Promise<readonly PostId[]> {
  await using opened = await ground.open(name)
  const { ledger, store } = opened
  await ledger.savePolicy(benchPolicy)
  const owners = Array.from({ length: accounts }, (_, number) => accountOf(`owner-${number}`))
  for (const owner of owners) await ledger.saveAccount(owner)
  const now = await ledger.now()
  await fillPast(store, owners, size, now)
  await ground.execute(name, attemptsOfPast)
  if (ground.store === 'postgres') await ground.execute(name, 'vacuum analyze')
  const young = await addYoung(opened, owners, now)
  return young
}

/** Every action on a post of its own, spread over the years that such a number takes. */
async function fillPast(
  store: Store,
  owners: readonly AccountRow[],
  size: number,
  now: Instant,
): Promise<void> {
  for (let from = 0; from < size; from += batch) {
    const rows: { posts: PostRow[]; actions: ActionRow[] } = { posts: [], actions: [] }
    for (let number = from; number < Math.min(size, from + batch); number += 1) {
      const owner = owners[number % accounts]
      if (owner === undefined) continue
      const at = now - hourMs - Math.floor(number / accounts) * (dayMs / actionsPerDay)
      const post = pastPost(number, owner, at)
      rows.posts.push(post)
      rows.actions.push(pastAction(post, at))
    }
    await store.importActions(rows satisfies ImportRows, [])
  }
}

/** Ids that do not follow each other, as those of networks do not. */
function pastPost(number: number, owner: AccountRow, at: Instant): PostRow {
  const post = newPost(hashText(String(number)).slice(0, 20), owner, at)
  return { ...post, status: 'closed', closedAt: at, arm: 'act', propensity: 0.8 }
}

function pastAction(post: PostRow, at: Instant): ActionRow {
  const text = 'What would you add to this?'
  return {
    id: toActionId(`past-${post.id}`),
    key: actionKey(post.id, 'comment', 'tier_1'),
    postId: post.id,
    accountId: post.accountId,
    platform: post.platform,
    action: 'comment',
    tier: 'tier_1',
    generation: 0,
    state: 'success',
    policy: policyId(benchPolicy),
    score: 0.5,
    text,
    textHash: hashText(text),
    revision: 1,
    plannedAt: at,
    expiresAt: at + dayMs,
    noticeAt: null,
    dueAt: null,
    token: `token-${post.id}`,
    leaseUntil: null,
    firstClaimedAt: at,
    attempts: 1,
    mayLandUntil: at + secondMs,
    endedAt: at + secondMs,
    outcome: null,
    fault: null,
    undoes: null,
    version: 3,
  }
}

/** The tables of both databases have the same names. */
const attemptsOfPast = `
  insert into attempts (id, action_id, platform, number, segment, token, started_at, deadline_at,
    ended_at, result, fault, prepared, remote_id)
  select 'attempt-' || id, id, platform, 1, 0, token, first_claimed_at, first_claimed_at + 20000,
    ended_at, 'landed', null, null, 'remote:' || id
  from actions`

/** Posts with their readings, some looks, and an action of some hours ago. */
async function addYoung(
  { ledger, store }: OpenedLedger,
  owners: readonly AccountRow[],
  now: Instant,
): Promise<readonly PostId[]> {
  const young = Array.from({ length: posts }, (_, number) => {
    const owner = owners[number % accounts]
    if (owner === undefined) throw new Error('There are no accounts')
    const post = newPost(`young-${number}`, owner, now)
    return { ...post, publishedAt: now - 10 * hourMs }
  })
  await ledger.trackPosts(young)
  await ledger.recordSamples(young.flatMap((post) => samplesOf(post, now)))
  await store.importActions(
    { posts: [], actions: young.map((post) => pastAction(post, now - 2 * dayMs)) },
    [],
  )
  for (const { id } of young) await look(ledger, id)
  return young.map(({ id }) => id)
}

/** Several looks, each at another time, as a verdict replaces that of the same reading. */
async function look(ledger: Ledger, id: PostId): Promise<void> {
  const input = await ledger.decisionInput(id, benchPolicy, everythingSupported)
  if (input === null) throw new Error(`${id} is not there`)
  for (let count = 0; count < looks; count += 1) {
    const backMs = count * 10 * minuteMs
    const samples = input.samples.filter(({ at }) => at <= input.now - backMs)
    const verdict = decide({ ...input, samples, now: input.now - backMs })
    await ledger.recordVerdict(id, benchPolicy, { verdict, nextCheckAt: null })
  }
}
