/** Owns the course of a race: set up, eight processes at once, and the facts of what came of it. */

import type { ActionId } from '../../src/core/ids.ts'
import { openLedger } from './open-ledger.ts'
import type { StoreAddress } from './open-ledger.ts'
import { beginning } from './ledger-rows.ts'
import type { RaceFacts } from './race-audit.ts'
import type { RaceMessage, RaceTask } from './race-worker.ts'
import { setUpRace } from './race-world.ts'
import { readActions, readAttempts, readEvents } from './read-all.ts'
import { SharedClock } from './shared-clock.ts'
import { WorkerProcess } from './worker-process.ts'

const workers = 8

export interface RaceSettings {
  readonly address: StoreAddress
  readonly plans: number
  readonly seed: string
  /** By the clock of the server, or by clocks that whoever is idle moves on. */
  readonly time: 'moved' | 'server'
}

export interface RaceResult extends RaceFacts {
  /** How often each guard held someone. */
  readonly holds: ReadonlyMap<string, number>
}

export async function runRace(settings: RaceSettings): Promise<RaceResult> {
  const clock = settings.time === 'moved' ? new SharedClock(beginning) : null
  await using ledger = await openLedger(settings.address, clock)
  const { ownReplies } = await setUpRace(ledger, settings.plans)
  const { claims, holds } = await letRace(settings)
  const actions = await readActions(ledger)
  return {
    actions,
    attempts: await readAttempts(ledger, actions),
    ownReplies,
    events: await readEvents(ledger),
    claims,
    holds,
  }
}

async function letRace({ address, seed, time }: RaceSettings) {
  const claims: { readonly actionId: ActionId; readonly token: string }[] = []
  const holds = new Map<string, number>()
  const startAt = time === 'moved' ? beginning : null
  const started = Array.from({ length: workers }, (_, index) => {
    const ready = Promise.withResolvers<void>()
    const task: RaceTask = { name: `worker-${index}`, seed, address, startAt }
    const worker = new WorkerProcess<RaceMessage>('race-worker.ts', task, (message) => {
      if (message.say === 'ready') ready.resolve()
      else if (message.say === 'claimed') claims.push(message)
      else for (const [reason, count] of Object.entries(message.holds)) add(holds, reason, count)
    })
    // One that ends before the start must not keep the others waiting.
    void worker.ended.then(() => ready.resolve())
    return { worker, ready: ready.promise }
  })
  await Promise.all(started.map(({ ready }) => ready))
  for (const { worker } of started) worker.tell('go')
  const ends = await Promise.all(started.map(({ worker }) => worker.ended))
  const failed = ends.find(({ code }) => code !== 0)
  if (failed !== undefined) throw new Error(`A worker failed: ${failed.complaints}`)
  return { claims, holds }
}

function add(counts: Map<string, number>, name: string, count: number): void {
  counts.set(name, (counts.get(name) ?? 0) + count)
}
