/**
 * Owns the course of the chaos: a server, a proxy before it, networks, workers and people; posts
 * that come in waves with a blow at each; then calm, until all has come to rest, and the facts.
 */

import { openQueue } from '../../src/engine/delivery/queue.ts'
import type { AccountRow, Ledger } from '../../src/ledger/index.ts'
import { openSharedLedger } from '../../src/ledger/open-ledger.ts'
import { seededRandom } from '../../src/platform/simulated/index.ts'
import type { FaultDecision } from '../../src/platform/simulated/index.ts'
import type { TestPostgres } from '../support/postgres.ts'
import { readLedger } from './facts.ts'
import type { Facts } from './facts.ts'
import { Fleet } from './fleet.ts'
import { misdeliver, openJobTable } from './job-table.ts'
import type { Misdelivery } from './job-table.ts'
import { call, Owner } from './owner.ts'
import type { BugName } from './planted-bugs.ts'
import { PostgresProxy } from './postgres-proxy.ts'
import { comeToRest, letOthersLead } from './rest.ts'
import { strike } from './storm.ts'
import type { Blow, StormParts } from './storm.ts'
import { serveTruth } from './truth.ts'
import type { Truth } from './truth.ts'
import { comesAbout } from './waiting.ts'
import { addAccounts, publishPost, watchPosts } from './world.ts'

export interface ChaosSettings {
  readonly server: TestPostgres
  readonly seed: string
  readonly workers: number
  /** One with each wave of posts. */
  readonly blows: Iterable<Blow>
  /** How many posts each account gets in a wave. */
  readonly postsPerAccount: number
  /** The next blow comes no later than this. */
  readonly waveMs: number
  readonly misdelivery: Misdelivery
  readonly bug: BugName | null
  /** What each write meets, where chance is not to decide. */
  readonly everyWrite?: FaultDecision
  /** See `RestParts`. */
  readonly skipsSilence: boolean
  readonly restsWithinMs: number
}

/** The next blow comes when so much of a wave was begun. */
const waveShare = 0.5

export async function runChaos(settings: ChaosSettings): Promise<Facts> {
  const { server, seed, bug } = settings
  const random = seededRandom(`${seed}:storm`)
  const connectionString = await server.freshDatabase()
  await using closing = new AsyncDisposableStack()
  const proxy = closing.adopt(await PostgresProxy.listen(connectionString), (it) => it.close())
  const truth = closing.use(await serveTruth(seed, settings.everyWrite ?? null))
  const onProblem = () => {}
  const queue = closing.use(await openQueue({ connectionString, looksAfter: false, onProblem }))
  await misdeliver(connectionString, settings.misdelivery)
  const opened = await openSharedLedger({ connectionString, jobWriter: queue.writer, poolSize: 4 })
  const ledger = closing.use(opened.ledger)
  const accounts = await addAccounts(ledger, (platform) => worldOf(truth, platform))
  const fleet = closing.adopt(
    new Fleet({ connectionString: proxy.connectionString, urls: truth.urls, bug }),
    (it) => it.killAll(),
  )
  const owner = closing.adopt(
    new Owner({ ledger, accounts, random: seededRandom(`${seed}:owner`) }),
    (it) => it.leave(),
  )
  owner.begin()
  for (let count = 0; count < settings.workers; count += 1) fleet.start()
  const parts = { fleet, proxy, server, owner, random, ledger, truth, accounts }
  await fleet.haveStarted()
  await goThrough(settings, parts)
  const unrest = await calmDown(settings, parts, connectionString)
  await owner.leave()
  await fleet.stopAll()
  await using jobTable = await openJobTable(connectionString)
  return {
    ...(await readLedger(ledger)),
    networks: truth.networks,
    book: fleet.book,
    problems: fleet.problems,
    pauses: owner.pauses,
    rejections: owner.rejections,
    approved: owner.approvals,
    jobs: await jobTable.count(),
    unrest,
  }
}

interface ChaosParts extends StormParts {
  readonly ledger: Ledger
  readonly truth: Truth
  readonly accounts: readonly AccountRow[]
}

async function goThrough(settings: ChaosSettings, parts: ChaosParts): Promise<void> {
  const { postsPerAccount, blows, waveMs, skipsSilence } = settings
  const { fleet, ledger, truth, accounts } = parts
  let wave = 0
  for (const blow of blows) {
    if (skipsSilence) await call(() => letOthersLead(ledger, fleet))
    const before = fleet.book.attempts.size
    const posts = accounts.flatMap((account) =>
      Array.from({ length: postsPerAccount }, (_, number) => {
        const name = `${account.id}-${wave}-${number}`
        return publishPost(worldOf(truth, account.platform), account, name)
      }),
    )
    await call(() => watchPosts(ledger, posts))
    const enough = before + posts.length * waveShare
    await comesAbout(waveMs, () => fleet.book.attempts.size >= enough)
    await strike(blow, parts)
    wave += 1
  }
}

/** All faults end. What is left after the bound should have come to rest. */
async function calmDown(
  { skipsSilence, restsWithinMs: mostMs }: ChaosSettings,
  { truth, proxy, owner, fleet, ledger }: ChaosParts,
  connectionString: string,
): Promise<readonly string[]> {
  truth.calm()
  proxy.heal()
  await owner.resumeAll()
  await using jobs = await openJobTable(connectionString)
  return await comeToRest({ ledger, fleet, jobs, skipsSilence, mostMs })
}

function worldOf({ networks }: Truth, platform: string) {
  const network = networks.get(platform)
  if (network === undefined) throw new Error(`There is no network ${platform}`)
  return network.world
}
