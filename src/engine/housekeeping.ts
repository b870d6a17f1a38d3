/**
 * What keeps a ledger well while it runs: events are chained into the audit log, old readings
 * shrink to what baselines need, and what has run out is swept away. One process of many does it at
 * a time; that two did would be waste and nothing worse.
 */

import { baselineAgesMs } from '../core/age-rank/ages.ts'
import type { Clock } from '../core/clock.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../core/duration.ts'
import type { Random } from '../core/random.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { EngineProblem } from './parts.ts'

export interface HousekeepingOptions {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly random: Random
  /** How long every reading of a closed post is kept; 30 days unless said otherwise. */
  readonly keepSamplesMs?: number
  readonly onProblem?: (problem: EngineProblem) => void
}

export interface Housekeeping extends AsyncDisposable {
  /** Works until stopped. */
  start(): Promise<void>
  stop(): Promise<void>
  /** Does all of it once, whoever else may be at it. */
  tidy(): Promise<void>
}

const sealEveryMs = 5 * secondMs
const sweepEveryMs = hourMs
/** Whoever keeps house goes on doing so, unless nothing is heard of it for this long. */
const leaseMs = minuteMs
const leaseName = 'housekeeping'
const batch = 500

export function createHousekeeping(options: HousekeepingOptions): Housekeeping {
  const { ledger, clock, random, keepSamplesMs = 30 * dayMs, onProblem = () => {} } = options
  const owner = random.id()
  const stopping = new AbortController()
  let running: Promise<void> | null = null
  let sweptAtMs = Number.NEGATIVE_INFINITY

  const isStopping = () => stopping.signal.aborted
  /** Goes on while there is a full batch, and gives others a turn in between. */
  const exhaust = async (work: () => Promise<number>) => {
    while (!isStopping() && (await work()) >= batch) await clock.sleep(0, stopping.signal)
  }
  const sweep = async () => {
    await exhaust(() => ledger.shrinkSamples(keepSamplesMs, baselineAgesMs, batch))
    await exhaust(() => ledger.sweepItems(batch))
  }
  const turn = async () => {
    if (!(await ledger.takeLease(leaseName, owner, leaseMs))) return
    await exhaust(() => ledger.seal(batch))
    const nowMs = clock.monotonicMs()
    if (nowMs - sweptAtMs < sweepEveryMs) return
    await sweep()
    sweptAtMs = nowMs
  }
  const loop = async () => {
    while (!isStopping()) {
      try {
        await turn()
      } catch (error) {
        onProblem({ work: 'housekeeping', id: '', error })
      }
      await clock.sleep(sealEveryMs, stopping.signal)
    }
    // Who stops makes room for the next at once.
    await ledger.releaseLease(leaseName, owner).catch(() => {})
  }
  const stop = async () => {
    stopping.abort()
    await running
  }
  return {
    start: () => (running ??= loop()),
    stop,
    tidy: async () => {
      await exhaust(() => ledger.seal(batch))
      await sweep()
    },
    [Symbol.asyncDispose]: stop,
  }
}
