/** Runs `backtest --ledger` as a person would, on ledgers of made-up posts. */

import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dayMs, hourMs, minuteMs } from '../src/core/duration.ts'
import {
  openPostgresLedger,
  openSqliteLedger,
  standardPolicy,
  systemClock,
  toAccountId,
  toPostId,
} from '../src/index.ts'
import type { Ledger, PostRow } from '../src/index.ts'
import { freshDatabase } from './support/postgres.ts'

const program = join(import.meta.dirname, '..', 'src', 'cli', 'main.ts')
const folder = mkdtempSync(join(tmpdir(), 'secondwind-backtest-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function run(...words: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, 'backtest', ...words], {
    encoding: 'utf8',
    cwd: folder,
  })
  return { status, stdout, stderr }
}

const reportSchema = z.object({
  posts: z.number(),
  actions: z.number(),
  outcomes: z.array(
    z.object({
      id: z.string(),
      scored: z.number(),
      actions: z.array(z.object({ at: z.number() })),
    }),
  ),
})
const outputSchema = z.object({
  reports: z.array(reportSchema),
  comparison: z.object({ first: z.string(), second: z.string() }).nullable(),
})

function reportOf(...words: readonly string[]) {
  const { status, stdout, stderr } = run(...words, '--json')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  const [report] = outputSchema.parse(JSON.parse(stdout)).reports
  if (report === undefined) throw new Error('There is no report')
  return report
}

/** Ann posts once a day, and one post in four dies in its first minutes; Bob posted twice. */
async function fill(ledger: Ledger): Promise<void> {
  const now = await ledger.now()
  await ledger.savePolicy(standardPolicy)
  await addPosts(ledger, 'ann', now, 40)
  await addPosts(ledger, 'bob', now, 2)
}

async function addPosts(ledger: Ledger, handle: string, now: number, count: number) {
  const accountId = toAccountId(handle)
  await ledger.saveAccount({
    id: accountId,
    platform: 'somewhere',
    handle,
    mode: 'watch',
    timeZone: handle === 'ann' ? 'Asia/Tokyo' : 'UTC',
    policy: 'standard@1',
    holdoutShare: 0,
    credentials: null,
    status: 'active',
    statusReason: null,
    createdAt: now,
    discoverAt: null,
    profile: null,
  })
  for (let day = count; day >= 1; day -= 1) {
    const id = toPostId(`${handle}-${day}`)
    const publishedAt = now - (day + 2) * dayMs + hourMs
    await ledger.trackPosts([postRow(id, accountId, publishedAt)])
    await ledger.recordSamples(
      Array.from({ length: 144 }, (_, slice) => ({
        postId: id,
        sample: {
          at: publishedAt + (slice + 1) * 20 * minuteMs,
          engagements:
            day % 4 === 3 ? 1 : Math.floor((10 + (day % 9)) * Math.log2(1 + (slice + 1) / 3)),
          impressions: null,
        },
      })),
    )
  }
}

function postRow(id: PostRow['id'], accountId: PostRow['accountId'], publishedAt: number): PostRow {
  return {
    id,
    accountId,
    platform: 'somewhere',
    remoteId: id,
    url: null,
    text: 'A post',
    contentVersion: null,
    publishedAt,
    status: 'closed',
    neverTouch: false,
    arm: null,
    propensity: null,
    nextCheckAt: null,
    trackedAt: publishedAt,
    closedAt: null,
  }
}

const file = join(folder, 'ledger.db')
beforeAll(async () => {
  await using ledger = await openSqliteLedger({ path: file, clock: systemClock })
  await fill(ledger)
})

describe('secondwind backtest --ledger', () => {
  it('replays all posts of a file, and acts on those that died', () => {
    const report = reportOf('--ledger', file)
    expect(report.posts).toBe(42)
    const acted = report.outcomes.filter(({ actions }) => actions.length > 0)
    expect(acted.length).toBeGreaterThan(3)
    for (const { id } of acted) expect(Number(id.split('-')[1]) % 4).toBe(3)
  })

  it('replays one account, by its handle or with its platform', () => {
    expect(reportOf('--ledger', file, '--account', 'bob').posts).toBe(2)
    expect(reportOf('--ledger', file, '--account', 'somewhere/ann').posts).toBe(40)
  })

  it('replays the last days alone, with what came before as their past', () => {
    const { posts, outcomes } = reportOf('--ledger', file, '--account', 'ann', '--days', '8')
    expect(posts).toBe(6)
    // With nothing before them none of the six could be compared.
    for (const { scored } of outcomes) expect(scored).toBeGreaterThan(0)
  })

  it("keeps quiet in each account's own night, unless another zone is named", () => {
    const hoursOf = (...words: readonly string[]) =>
      reportOf('--ledger', file, '--account', 'ann', ...words).outcomes.flatMap(({ actions }) =>
        actions.map(({ at }) => (at % dayMs) / hourMs),
      )
    const isNight = (hour: number) => hour >= 23 || hour < 7
    expect(hoursOf().length).toBeGreaterThan(0)
    // Tokyo is nine hours ahead.
    expect(hoursOf().filter((hour) => isNight((hour + 9) % 24))).toEqual([])
    expect(hoursOf('--zone', 'UTC').filter(isNight)).toEqual([])
  })

  it('holds two policies side by side', () => {
    const { status, stdout } = run('--ledger', file, '--compare', 'classic')
    expect(status).toBe(0)
    expect(stdout).toContain('standard@1: 42 posts')
    expect(stdout).toContain('standard@1 and classic@1 side by side')
  })

  it('changes nothing in the ledger', async () => {
    run('--ledger', file)
    await using ledger = await openSqliteLedger({ path: file, clock: systemClock })
    expect(await ledger.listActions({}, { after: null, limit: 9 })).toEqual([])
    expect(await ledger.listVerdicts(toPostId('ann-3'), 9)).toEqual([])
  })

  it('reads a Postgres server alike', async () => {
    const connectionString = await freshDatabase()
    {
      await using ledger = await openPostgresLedger({ connectionString })
      await fill(ledger)
    }
    expect(reportOf('--ledger', connectionString).posts).toBe(42)
    expect(reportOf('--ledger', connectionString, '--account', 'bob').posts).toBe(2)
  })
})

describe('secondwind backtest --ledger on what cannot be used', () => {
  it('makes no ledger where there is none', () => {
    const missing = join(folder, 'missing.db')
    const { status, stdout, stderr } = run('--ledger', missing)
    expect(status).not.toBe(0)
    expect(stdout).toBe('')
    expect(stderr).toContain('--ledger')
    expect(existsSync(missing)).toBe(false)
  })

  it('leaves a file of something else as it is', () => {
    const other = join(folder, 'other.db')
    writeFileSync(other, 'not a ledger at all, only some words\n'.repeat(200))
    const { status, stderr } = run('--ledger', other)
    expect(status).not.toBe(0)
    expect(stderr).not.toContain('    at ')
  })

  it('names the accounts there are', () => {
    const { status, stderr } = run('--ledger', file, '--account', 'zoe')
    expect(status).not.toBe(0)
    expect(stderr).toContain('somewhere/ann, somewhere/bob')
  })

  it('says where no post is young enough', () => {
    const { status, stderr } = run('--ledger', file, '--days', '1')
    expect(status).toBe(1)
    expect(stderr).toContain('try more --days')
  })

  it.each([
    ['a file as well', [file, '--ledger', file]],
    ['days that are none', ['--ledger', file, '--days', 'many']],
    ['no ledger for the account', [file, '--account', 'ann']],
  ])('ends with 2: %s', (_, words) => {
    expect(run(...words)).toMatchObject({ status: 2, stdout: '' })
  })
})
