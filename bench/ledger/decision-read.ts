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
import type { ImportRows } from '../../src/ledger/store.ts'
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
/** As many a day as the standard policy allows, so that the day is full in every ledger. */
const betweenMs = dayMs / 25
/** So many actions are made one by one. */
const patternSize = 1000
/** Posts that are decided on: young ones, as in life. */
const youngPosts = 200
const looks = 3
const rounds = 25
const warmUp = 5

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
  await store.importActions(pastOf(owners, now), [])
  for (const sql of manifold(size / patternSize - 1)) await ground.execute(name, sql)
  if (ground.store === 'postgres') await ground.execute(name, 'vacuum analyze')
  const young = await addYoung(opened, owners, now)
  return young
}

/** The latest part of the past, of which the rest is copied: every action on a post of its own. */
function pastOf(owners: readonly AccountRow[], now: Instant): ImportRows {
  const posts: PostRow[] = []
  for (let number = 0; number < patternSize; number += 1) {
    const owner = owners[number % accounts]
    if (owner === undefined) throw new Error('There are no accounts')
    const at = now - hourMs - Math.floor(number / accounts) * betweenMs
    posts.push(pastPost(number, owner, at))
  }
  return { posts, actions: posts.map((post) => pastAction(post, post.trackedAt)) }
}

/** Ids that do not follow each other, as those of networks do not. */
function pastPost(number: number, owner: AccountRow, at: Instant): PostRow {
  const post = newPost(hashText(String(number)).slice(0, 20), owner, at)
  return { ...post, trackedAt: at, status: 'closed', closedAt: at, arm: 'act', propensity: 0.8 }
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

/**
 * Copies the pattern so many times, each copy further back, and gives each action its attempt. The
 * tables of both databases have the same names.
 */
function manifold(copies: number): readonly string[] {
  const numbers = `with recursive numbers(n) as (
    select 1 where 1 <= ${copies} union all select n + 1 from numbers where n < ${copies})`
  // With a decimal point, as the product is too large for an integer.
  const back = `n * ${(patternSize / accounts) * betweenMs}.0`
  const copy = (table: string, own: readonly string[], times: readonly string[], same: string) => `
    ${numbers} insert into ${table} (${[...own, ...times].join(', ')}, ${same})
    select ${own.map((column) => `${column} || '-' || n`).join(', ')},
      ${times.map((column) => `${column} - ${back}`).join(', ')}, ${same}
    from numbers cross join ${table}`
  return [
    copy('posts', ['id', 'remote_id'], ['published_at', 'tracked_at', 'closed_at'], samePost),
    copy('actions', ['id', 'key', 'post_id'], actionTimes, sameAction),
    attemptsOfPast,
  ]
}

const samePost = `account_id, platform, url, text, content_version, status, never_touch, arm,
  propensity, next_check_at`
const actionTimes = [
  'planned_at',
  'expires_at',
  'first_claimed_at',
  'may_land_until',
  'ended_at',
] as const
const sameAction = `account_id, platform, action, tier, generation, state, policy, score, text,
  text_hash, revision, notice_at, due_at, token, lease_until, attempts, outcome, fault, undoes,
  version`
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
  const young = Array.from({ length: youngPosts }, (_, number) => {
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
    await ledger.recordVerdict(id, { verdict, nextCheckAt: null })
  }
}
