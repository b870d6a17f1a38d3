/**
 * The whole way on the whole network: the engine as it is shipped learns from posts that people
 * liked, notices one that nobody does, replies once, and measures what came of it. Servers, index
 * and counters are real; only the hours between are leapt over.
 */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTemplateContent } from '../../../src/content/index.ts'
import { hourMs, minuteMs } from '../../../src/core/duration.ts'
import { toAccountId } from '../../../src/core/ids.ts'
import type { Instant } from '../../../src/core/instant.ts'
import { standardPolicy } from '../../../src/core/policies/standard.ts'
import { Secret } from '../../../src/core/secret.ts'
import { policyId } from '../../../src/core/policy.ts'
import type { Policy } from '../../../src/core/policy.ts'
import { createEngine } from '../../../src/engine/engine.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { createLedger, MemoryStore } from '../../../src/ledger/index.ts'
import type { Ledger, PostRow } from '../../../src/ledger/index.ts'
import { blueskyAt } from '../../../src/platform/bluesky/index.ts'
import { systemRandom } from '../../../src/system.ts'
import { Owner } from '../../connectors/bluesky/owner.ts'
import { toolsFor } from '../../connectors/bluesky/suite.ts'
import type { DevAccount } from '../bluesky/dev-network.ts'
import { LeapingClock } from '../exactly-once/leaping-clock.ts'
import { startAppNetwork } from './app-network.ts'
import type { AppNetwork } from './app-network.ts'

let network: AppNetwork | null = null

beforeAll(async () => {
  network = await startAppNetwork()
}, 600_000)

afterAll(async () => {
  await network?.[Symbol.asyncDispose]()
})

function running(): AppNetwork {
  if (network === null) throw new Error('The network has not started')
  return network
}

const oncePerPost = { guard: 'lifetime_maximum', maximum: 1 } as const

/**
 * As recommended, but once in a post's life, and at any hour: the machine's clock may say that it
 * is night.
 */
const policy: Policy = {
  ...standardPolicy,
  name: 'once-at-any-hour',
  guards: standardPolicy.guards
    .filter(({ guard }) => guard !== 'quiet_hours')
    .map((each) => (each.guard === 'lifetime_maximum' ? oncePerPost : each)),
}

/** An account that an engine looks after, and the people who read it. */
interface Stage {
  readonly clock: LeapingClock
  readonly ledger: Ledger
  readonly engine: Engine
  readonly owner: Owner
  readonly readers: readonly DevAccount[]
  readonly problems: unknown[]
}

async function openStage(): Promise<Stage> {
  const { url, directory } = running()
  const clock = new LeapingClock()
  const tools = toolsFor(clock, [new URL(url).host])
  const account = await running().openAccount('anna.test')
  const readers: DevAccount[] = []
  for (let number = 1; number <= 6; number += 1) {
    readers.push(await running().openAccount(`reader${number}.test`))
  }
  const connector = blueskyAt({ service: url, directory })
  const [way] = connector.signIns
  if (way?.kind !== 'direct') throw new Error('An app password is not asked for first')
  const { handle, appPassword: password } = account
  const signedIn = await way.open(tools, { handle, password }, new AbortController().signal)
  // The document names the server by a name that only its own machine knows.
  const session = { ...(JSON.parse(signedIn.credentials.reveal()) as object), pds: url }
  const ledger = createLedger(new MemoryStore({ now: () => clock.now() }))
  const problems: unknown[] = []
  const engine = createEngine({
    ledger,
    platforms: [connector.create(tools)],
    clock,
    random: systemRandom,
    content: createTemplateContent(),
    openCredentials: () => new Secret(JSON.stringify(session)),
    settings: { clockJumpMs: Number.MAX_SAFE_INTEGER, discoverEveryMs: 30 * minuteMs },
    onProblem: (problem) => problems.push(problem),
  })
  await ledger.savePolicy(policy)
  await ledger.saveAccount({
    id: toAccountId('anna'),
    platform: 'bluesky',
    handle,
    mode: 'auto',
    timeZone: 'UTC',
    policy: policyId(policy),
    holdoutShare: 0,
    credentials: null,
    status: 'active',
    statusReason: null,
    createdAt: clock.now(),
    discoverAt: clock.now(),
    profile: signedIn.profile,
  })
  const owner = new Owner(account.did, account.call, () => clock.now())
  return { clock, ledger, engine, owner, readers, problems }
}

/** Lets time go by, with a turn of the engine whenever something is due. */
async function pass({ clock, ledger, engine }: Stage, until: Instant): Promise<void> {
  for (;;) {
    await engine.tick()
    const next = (await ledger.nextDueAt()) ?? until
    if (next > until) break
    clock.leapTo(Math.max(next, clock.now() + 1))
  }
  clock.leapTo(until)
}

async function like(reader: DevAccount, stage: Stage, uri: string): Promise<void> {
  const record = await stage.owner.record(uri)
  await reader.call('POST', 'com.atproto.repo.createRecord', {
    repo: reader.did,
    collection: 'app.bsky.feed.like',
    record: {
      $type: 'app.bsky.feed.like',
      subject: { uri, cid: record?.cid ?? '' },
      createdAt: new Date(stage.clock.now()).toISOString(),
    },
  })
}

/** Posts that do well: a reader more likes all of them at each of these ages. */
async function liveThroughGoodDays(stage: Stage): Promise<void> {
  const posts: string[] = []
  for (let number = 1; number <= 6; number += 1) {
    posts.push(await stage.owner.publish(`A good post, number ${number}`))
  }
  await running().settle()
  const start = stage.clock.now()
  const agesMs = [15, 35, 55, 85, 170, 600].map((minutes) => minutes * minuteMs)
  for (const [index, ageMs] of agesMs.entries()) {
    await pass(stage, start + ageMs)
    const reader = stage.readers[index]
    if (reader === undefined) throw new Error('There are too few readers')
    for (const post of posts) await like(reader, stage, post)
    await running().settle()
  }
  // They are matured after 48 hours, and remembered when the engine next reads what was before.
  await pass(stage, start + 60 * hourMs)
}

async function postOf({ ledger }: Stage, remoteId: string): Promise<PostRow> {
  const posts = await ledger.listPosts({}, { after: null, limit: 100 })
  const found = posts.find((post) => post.remoteId === remoteId)
  if (found === undefined) throw new Error(`${remoteId} is not watched`)
  return found
}

it('a post stalls, gets one reply, is liked, and the measurement sees it', async () => {
  const stage = await openStage()
  const { ledger, owner, clock, readers } = stage
  await liveThroughGoodDays(stage)
  expect(await ledger.listActions({}, { after: null, limit: 10 })).toEqual([])

  const stalled = await owner.publish('Nobody seems to have seen this one')
  await running().settle()
  const publishedAt = clock.now()
  await pass(stage, publishedAt + 3 * hourMs)
  await running().settle()
  const row = await postOf(stage, stalled)
  const actions = await ledger.listActions({ postId: row.id }, { after: null, limit: 10 })
  expect(actions.map(({ state }) => state)).toEqual(['success'])
  const [reply, ...more] = await owner.repliesTo(stalled)
  expect(more).toEqual([])
  expect(actions[0]?.outcome).toMatchObject({ remoteIds: [reply?.remoteId] })

  for (const reader of readers) await like(reader, stage, stalled)
  await running().settle()
  await pass(stage, publishedAt + 30 * hourMs)
  const measurements = await ledger.listMeasurements(row.id)
  const day = measurements.find(({ horizonMs }) => horizonMs === 24 * hourMs)
  expect(day?.takenAt).not.toBeNull()
  // The likes, and not the reply of our own.
  expect(day?.gain).toBe(readers.length)
  expect(stage.problems).toEqual([])
}, 600_000)
