/**
 * Measures the ledger.
 *
 *   npm run bench:ledger -- [--json] [--posts n] [--store sqlite|postgres] [--folder path]
 *
 * Claiming and settling against two raw transactions of the same database and against bare
 * statements that write the same rows, what callers gain who share transactions, what a decision's
 * reading costs with up to a million actions behind it, and on SQLite how large a million posts
 * are. Contestants take turns in each round and figures are medians; ratios are taken round by
 * round.
 *
 * The data is on a disk, under node_modules/.cache unless a folder is given, and is removed. With
 * a million posts it takes some minutes and 5 GB; `--posts` makes it smaller, the largest ledger
 * for decisions too.
 */

import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeFolder } from './folder.ts'
import { measureClaims } from './ledger/claim-and-settle.ts'
import type { ClaimFigures } from './ledger/claim-and-settle.ts'
import { measureReads } from './ledger/decision-read.ts'
import type { ReadFigure } from './ledger/decision-read.ts'
import type { Ground } from './ledger/ground.ts'
import { describeMachine } from './ledger/machine.ts'
import type { Machine } from './ledger/machine.ts'
import { newPostgresGround } from './ledger/postgres-ground.ts'
import { measureSize } from './ledger/size.ts'
import type { SizeFigures } from './ledger/size.ts'
import { newSqliteGround } from './ledger/sqlite-ground.ts'

interface StoreReport {
  readonly store: Ground['store']
  readonly version: string
  readonly claims: ClaimFigures
  readonly reads: readonly ReadFigure[]
  readonly size: SizeFigures | null
}

interface Report {
  readonly machine: Machine
  readonly stores: readonly StoreReport[]
}

/** What is aimed at. */
const goals = {
  ratio: { sqlite: 0.5, postgres: 0.6 },
  crowdMultiple: 8,
  readRatio: 1.3,
} as const

const readSizes = [1000, 100_000, 1_000_000]

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: 'boolean', default: false },
      posts: { type: 'string', default: '1000000' },
      store: { type: 'string' },
      folder: { type: 'string', default: 'node_modules/.cache/secondwind-bench' },
    },
  })
  const posts = Number(values.posts)
  if (!Number.isInteger(posts) || posts < 1000) throw new Error('--posts is at least 1000')
  const stores = (['sqlite', 'postgres'] as const).filter((store) => {
    return values.store === undefined || values.store === store
  })
  if (stores.length === 0) throw new Error('--store is sqlite or postgres')
  const folder = makeFolder(values.folder)
  try {
    const machine = describeMachine(folder)
    const reports: StoreReport[] = []
    for (const store of stores) reports.push(await measure(store, folder, posts))
    const report: Report = { machine, stores: reports }
    console.log(values.json ? JSON.stringify(report) : describe(report))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(
  store: Ground['store'],
  folder: string,
  posts: number,
): Promise<StoreReport> {
  await using ground = store === 'sqlite' ? newSqliteGround(folder) : await newPostgresGround()
  const claims = await measureClaims(ground)
  const sizes = readSizes.filter((size) => size <= posts)
  const reads = await measureReads(ground, sizes)
  const size = store === 'sqlite' ? await measureSize(ground, folder, posts) : null
  return { store, version: ground.version, claims, reads, size }
}

const count = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const ratio = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 })
const megabytes = (bytes: number) => `${count.format(bytes / 1e6)} MB`

function describe({ machine, stores }: Report): string {
  return [
    `${machine.date}, ${machine.processor}, ${machine.cores} cores, ` +
      `${megabytes(machine.memoryBytes)}, ${machine.system}, Node ${machine.node}`,
    `load at the beginning ${ratio.format(machine.load)}` +
      (machine.isOnDisk ? '' : '; the folder is in memory, so that nothing waited for a disk'),
    ...stores.flatMap(describeStore),
  ].join('\n')
}

function describeStore({ store, version, claims, reads, size }: StoreReport): string[] {
  const { crowd, sameRows } = claims
  return [
    `${store} ${version}`,
    `  claim and settle, ${plural(claims.callers, 'caller')}: ` +
      `${count.format(claims.claimAndSettlePerSecond)} a second, two raw transactions ` +
      `${count.format(claims.rawPairsPerSecond)}: ` +
      against(claims.ratio, claims.ratio >= goals.ratio[store], `at least ${goals.ratio[store]}`),
    `  the same rows by bare statements: ${count.format(sameRows.pairsPerSecond)} a second, ` +
      `${ratio.format(sameRows.ofRaw)} of raw; the ledger reaches ` +
      `${ratio.format(sameRows.ratio)} of it`,
    `  ${crowd.callers} callers at once: ${count.format(crowd.perSecond)} a second, × one: ` +
      (store === 'sqlite'
        ? against(crowd.multiple, crowd.multiple >= goals.crowdMultiple, 'at least 8')
        : ratio.format(crowd.multiple)),
    '  reading what a decision needs, by actions in the ledger',
    ...reads.map(
      (read) =>
        `    ${count.format(read.actions)}: ${count.format(read.microsecondsEach)} µs, × ` +
        against(read.ratio, read.ratio <= goals.readRatio, `at most ${goals.readRatio}`),
    ),
    ...(size === null ? [] : describeSize(size)),
  ]
}

function describeSize({ posts, samplesPerPost, memory, ...size }: SizeFigures): string[] {
  return [
    `  ${count.format(posts)} posts with ${samplesPerPost} readings each: ` +
      `${megabytes(size.fileBytes)}, ${count.format(size.bytesPerPost)} bytes a post, ` +
      `written in ${count.format(size.fillSeconds)} s`,
    `  memory of a process that works on them: ${megabytes(memory.mostBytes)} at most, ` +
      `${megabytes(memory.openedBytes)} once it is open, ${megabytes(memory.emptyBytes)} before`,
  ]
}

function against(value: number, isMet: boolean, goal: string): string {
  return `${ratio.format(value)} (goal ${goal}${isMet ? '' : ', missed'})`
}

function plural(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}

await main()
