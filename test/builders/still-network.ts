/**
 * A network on which nothing ever happens by itself: posts stand still, and whatever is written is
 * counted by its key. For tests and measurements of delivery, which run in real time.
 */

import type { Fault } from '../../src/core/index.ts'
import { toAccountId, toPostId, standardPolicy } from '../../src/core/index.ts'
import type { Policy } from '../../src/core/index.ts'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import { policyId } from '../../src/core/policy.ts'
import type { AccountRow, Ledger, PostRow } from '../../src/ledger/index.ts'
import { newAccount } from '../../src/ledger/new-account.ts'
import type { Description, Landed, Platform } from '../../src/platform/platform.ts'

/** What is really there. */
export interface StillTruth {
  /** Shown so often; nobody reacts. Returns the time of the reading. */
  read(remoteIds: readonly string[]): Promise<number>
  /** Writes a comment. The same key twice makes two: nothing is deduplicated here. */
  write(key: string): Promise<void>
  has(key: string): Promise<boolean>
}

export const stillName = 'still'

const description: Description = {
  platform: stillName,
  actions: {
    comment: { supported: true, writeClass: 'B', withinMs: null },
    edit: { supported: false, why: 'nothing changes here' },
    thread: { supported: false, why: 'one comment is enough here' },
  },
  length: { maximum: 500, measure: (text) => text.length },
  threadMaximum: 1,
  threadIsAtomic: true,
  counters: ['likes'],
  hasImpressions: true,
  counterLagMs: 0,
  visibleWithinMs: 0,
  deduplicatesForMs: null,
  observeBatch: 100,
  rates: [],
  canUndo: { comment: false, edit: false, thread: false },
}

/** Posts are shown to many; of those so many react, which is nobody unless it is said. */
export function connectStill(truth: StillTruth, engagements = 0): Platform {
  return {
    name: stillName,
    describe: () => description,
    probe: async ({ connection }) => ({ handle: connection.handle, profile: {} }),
    discover: async () => [],
    observe: async ({ remoteIds }) => {
      const at = await truth.read(remoteIds)
      return remoteIds.map((remoteId) => {
        const sample = { at, impressions: 100_000, engagements }
        const seen = { text: postText, contentVersion: null, ownReplies: [] }
        return { kind: 'live' as const, remoteId, sample, ...seen }
      })
    },
    prepare: async () => ({ kind: 'ready', token: null }),
    commit: async ({ key }) => {
      await truth.write(key)
      return landedAs(key)
    },
    locate: async ({ key }) =>
      (await truth.has(key)) ? { kind: 'found', landed: landedAs(key) } : { kind: 'not_found' },
    undo: async () => {},
    classify,
  }
}

function landedAs(key: string): Landed {
  return {
    remoteId: key,
    url: null,
    remoteIds: [key],
    postRemoteId: null,
    contentVersion: null,
  }
}

function classify(error: unknown, call: 'read' | 'write'): Fault {
  const landed = call === 'write' ? 'unknown' : 'no'
  const detail = error instanceof Error ? error.message : String(error)
  return { landed, code: 'network_error', scope: 'request', retryAt: null, detail }
}

/** The truth in this process. */
export class StillNetwork implements StillTruth {
  readonly writes = new Map<string, number>()
  reads = 0
  readonly #now: () => number
  /** Called before each write; may take its time, or fail. */
  beforeWrite: (key: string) => Promise<void> = async () => {}

  constructor(now: () => number) {
    this.#now = now
  }

  async read(remoteIds: readonly string[]): Promise<number> {
    this.reads += remoteIds.length
    return this.#now()
  }

  async write(key: string): Promise<void> {
    await this.beforeWrite(key)
    this.writes.set(key, (this.writes.get(key) ?? 0) + 1)
  }

  async has(key: string): Promise<boolean> {
    return this.writes.has(key)
  }
}

const postText = 'A post.'

/** Stalls are answered at the first look with a comment, at most one for each post. */
export const stillPolicy: Policy = {
  ...standardPolicy,
  name: 'still',
  looks: { ...standardPolicy.looks, required: 1 },
  ladder: { tier_1: ['comment'], tier_2: ['comment'], tier_3: ['comment'] },
  guards: [
    { guard: 'open_action' },
    { guard: 'duplicate' },
    { guard: 'lifetime_maximum', maximum: 1 },
  ],
}

/** Says the same about every post. */
export const stillContent = {
  write: async () => ({ kind: 'text', text: 'What do you think?', source: 'test' }) as const,
}

export async function addStillAccount(
  ledger: Ledger,
  name: string,
  changes: Partial<AccountRow> = {},
): Promise<AccountRow> {
  await ledger.savePolicy(stillPolicy)
  const account: AccountRow = {
    ...newAccount(toAccountId(name), await ledger.now(), { platform: stillName, handle: name }),
    mode: 'auto',
    policy: policyId(stillPolicy),
    holdoutShare: 0,
    discoverAt: null,
    ...changes,
  }
  await ledger.saveAccount(account)
  return account
}

/** Posts that have been shown for hours and are due to be looked at now. */
export async function addStillPosts(
  ledger: Ledger,
  account: AccountRow,
  names: readonly string[],
): Promise<readonly PostRow[]> {
  const now = await ledger.now()
  const posts = names.map((name): PostRow => ({
    id: toPostId(name),
    accountId: account.id,
    platform: stillName,
    remoteId: name,
    url: null,
    text: postText,
    contentVersion: null,
    publishedAt: now - 6 * hourMs,
    status: 'watched',
    neverTouch: false,
    arm: null,
    propensity: null,
    nextCheckAt: now,
    trackedAt: now,
    closedAt: null,
  }))
  const ages = [120, 100, 80, 60, 40, 20, 10]
  const tracked = await ledger.trackPosts(posts)
  await ledger.recordSamples(
    tracked.flatMap(({ id }) =>
      ages.map((minutes, index) => {
        const at = now - minutes * minuteMs
        return { postId: id, sample: { at, impressions: 1000 * (index + 1), engagements: 0 } }
      }),
    ),
  )
  return tracked
}
