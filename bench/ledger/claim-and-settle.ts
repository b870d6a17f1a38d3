/**
 * Measures claiming and settling against two raw transactions of the same database, which take
 * turns with it, and what it gains when callers share transactions.
 */

import type { ActionId } from '../../src/core/ids.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import { refused } from '../../src/testing/ledger/world.ts'
import { claimOf } from '../../test/torture/ledger-rows.ts'
import { medianNs, medianRatio, takeTurns } from '../core/rounds.ts'
import type { Contestant } from '../core/rounds.ts'
import type { Ground, RawTransactions } from './ground.ts'
import { addPlans, benchPolicy, claimLeaseMs } from './workload.ts'

export interface ClaimFigures {
  readonly callers: number
  readonly claimAndSettlePerSecond: number
  readonly rawPairsPerSecond: number
  /** Of the raw rate. */
  readonly ratio: number
  /** The same rows by bare statements: what no ledger that keeps them can exceed by itself. */
  readonly sameRows: {
    readonly pairsPerSecond: number
    /** Of the raw rate. */
    readonly ofRaw: number
    /** The ledger, of this rate. */
    readonly ratio: number
  }
  /** With many callers at once, on one connection to the store. */
  readonly crowd: {
    readonly callers: number
    readonly perSecond: number
    /** Of what one caller reaches alone. */
    readonly multiple: number
  }
}

const crowdSize = 64
const rounds = 15
const warmUp = 3
const perRound = { raw: 96, same: 96, ledger: 96, single: 32, crowd: 512 } as const

export async function measureClaims(ground: Ground): Promise<ClaimFigures> {
  await using raw = await ground.openRaw()
  await using bare = await openSameRows(ground)
  await using opened = await ground.open('claims')
  const { ledger } = opened
  const { callers } = ground
  const perAll = perRound.ledger + perRound.single + perRound.crowd
  const plans = new Plans(await addPlans(ledger, 'claim', perAll * (rounds + warmUp)))
  const claimBy = (count: number, lanes: number) =>
    elapsed(count, lanes, () => claimAndSettle(ledger, plans.next()))
  const contestants: Contestant[] = [
    { name: 'raw', round: () => elapsed(perRound.raw, callers, (lane) => raw.runTwo(lane)) },
    { name: 'same', round: () => elapsed(perRound.same, callers, (lane) => bare.runTwo(lane)) },
    { name: 'ledger', round: () => claimBy(perRound.ledger, callers) },
    { name: 'single', round: () => claimBy(perRound.single, 1) },
    { name: 'crowd', round: () => claimBy(perRound.crowd, crowdSize) },
  ]
  const taken = await takeTurns(contestants, { rounds, warmUp })
  const perSecond = (name: string) => Math.round(1e9 / medianNs(taken, name))
  return {
    callers,
    claimAndSettlePerSecond: perSecond('ledger'),
    rawPairsPerSecond: perSecond('raw'),
    ratio: medianRatio(taken, 'raw', 'ledger'),
    sameRows: {
      pairsPerSecond: perSecond('same'),
      ofRaw: medianRatio(taken, 'raw', 'same'),
      ratio: medianRatio(taken, 'same', 'ledger'),
    },
    crowd: {
      callers: crowdSize,
      perSecond: perSecond('crowd'),
      multiple: medianRatio(taken, 'single', 'crowd'),
    },
  }
}

/** A ledger of their own, whose plans only the bare statements use up. */
async function openSameRows(ground: Ground): Promise<RawTransactions> {
  const name = 'same-rows'
  {
    await using opened = await ground.open(name)
    await addPlans(opened.ledger, 'same', perRound.same * (rounds + warmUp))
  }
  return ground.openSameRows(name)
}

/** Hands out each action once. */
class Plans {
  readonly #ids: readonly ActionId[]
  #given = 0

  constructor(ids: readonly ActionId[]) {
    this.#ids = ids
  }

  next(): ActionId {
    const id = this.#ids[this.#given]
    if (id === undefined) throw new Error('There are no plans left')
    this.#given += 1
    return id
  }
}

/** Two transactions: it is claimed, and given up before anything was sent. */
async function claimAndSettle(ledger: Ledger, actionId: ActionId): Promise<void> {
  const token = `token-${actionId}`
  const claimed = await ledger.claim(claimOf(actionId, token, benchPolicy, claimLeaseMs))
  if (claimed.kind !== 'claimed') throw new Error(`Not claimed: ${JSON.stringify(claimed)}`)
  const settlement = { kind: 'failed', fault: refused } as const
  await ledger.settle({ actionId, token, attemptId: null, settlement })
}

/** Nanoseconds an operation takes where so many lanes each do one after the other. */
async function elapsed(
  count: number,
  lanes: number,
  operation: (lane: number) => Promise<void> | void,
): Promise<number> {
  let started = 0
  const run = async (lane: number) => {
    while (started < count) {
      started += 1
      await operation(lane)
    }
  }
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: lanes }, (_, lane) => run(lane)))
  return ((performance.now() - startedMs) / count) * 1e6
}
