/**
 * Owns the worlds that browser tests look at: one in which something of everything has happened,
 * one in which nothing has, and one whose network waits for its first account.
 */

import { afterAll, beforeAll } from 'vitest'
import { hourMs, minuteMs } from '../../src/core/duration.ts'
import { policyId, Secret, standardPolicy } from '../../src/core/index.ts'
import { createEngine } from '../../src/engine/index.ts'
import { createLedger, MemoryStore } from '../../src/ledger/index.ts'
import type { ActionRow } from '../../src/ledger/index.ts'
import type { Trial } from '../../src/platform/connector.ts'
import { noFault, seededRandom, simulateNetwork } from '../../src/platform/simulated/index.ts'
import { VirtualClock } from '../../src/testing/platform/virtual-clock.ts'
import { policyFor, shown, Stage } from '../builders/engine.ts'
import { builtWeb } from './looking.ts'
import { Site } from './site.ts'

/** Each account answers a stall with another action. */
const actionOf = { eve: 'edit', tom: 'thread' } as const

const texts: Readonly<Record<string, string>> = {
  ann: 'We tried something new this morning: rye with roasted walnuts. Would you try it?',
  eve: 'The recipe you asked for, with far too much cinnamon and no regrets.',
  tom: 'Why we bake less white bread every year, and what the queue said about it.',
  kim: 'Out of the oven at six. The first batch always belongs to the night shift.',
  sam: 'A small confession from the bakery: the starter turned nine years old.',
}

const trial: Trial = {
  question: 'whether its edits are kept',
  steps: 'It posts a line and removes it.',
  run: async () => ({
    profile: { keepsEdits: true },
    finding: 'Its edits are kept.',
    leftOver: [],
  }),
}

export interface FullWorld {
  readonly stage: Stage
  readonly site: Site
}

/** One for all tests of a suite, which is closed after them. */
export function inFullWorld(take: (world: FullWorld) => void): void {
  let opened: FullWorld | null = null
  beforeAll(async () => {
    opened = await openFullWorld()
    take(opened)
  })
  afterAll(() => opened?.site[Symbol.asyncDispose]())
}

/** A world in which there is something of everything. */
async function openFullWorld(): Promise<FullWorld> {
  const stage = await Stage.open({ mode: 'approve', profile: shown('full') })
  await stage.ledger.savePolicy(standardPolicy)
  for (const [handle, action] of Object.entries(actionOf)) {
    const policy = policyFor(action, { name: `stage-${action}` })
    await stage.ledger.savePolicy(policy)
    await stage.addAccount(handle, { policy: policyId(policy) })
  }
  await stage.addAccount('kim', { mode: 'auto' })
  await stage.addAccount('sam', { mode: 'auto' })
  stage.faults = ({ isWrite, handle }) => (isWrite && handle === 'sam' ? { kind: 'spam' } : noFault)
  for (const [handle, text] of Object.entries(texts)) stage.publish(text, {}, handle)
  await stage.pass(2 * hourMs)
  stage.publish('A second one of the day, and it is still warm.', {}, 'ann')
  await stage.pass(hourMs)
  const site = await Site.open({
    ledger: stage.ledger,
    platforms: [stage.network.platform],
    webFolder: await builtWeb(),
    mode: 'demo',
    trial,
  })
  return { stage, site }
}

export async function actionIn(stage: Stage, state: ActionRow['state']): Promise<ActionRow> {
  const row = (await stage.actions()).find((action) => action.state === state)
  if (row === undefined) throw new Error(`No action is ${state}`)
  return row
}

export const comment = 'What would you have tried first?'

/** A network with an account that nobody has connected, and a server that nobody has set up. */
export async function openNewWorld(mode: 'demo' | 'live' = 'live') {
  const clock = new VirtualClock()
  const rate = 1e-9
  const network = simulateNetwork({
    profile: shown('full'),
    clock,
    random: seededRandom('first-run'),
    forms: { engagementRate: { usual: rate, stalled: rate, late: rate }, viralShare: 0 },
    lateShare: 0,
  })
  network.world.addAccount({ handle: 'zoe', credentials: 'secret', peakMs: 0 })
  const ledger = createLedger(new MemoryStore(clock))
  let ids = 0
  const nextId = () => {
    ids += 1
    return `id-${ids}`
  }
  const engine = createEngine({
    ledger,
    platforms: [network.platform],
    clock,
    random: { fraction: () => 0.5, id: nextId },
    content: { write: async () => ({ kind: 'text', text: comment, source: 'test' }) },
    openCredentials: () => new Secret('secret'),
  })
  const site = await Site.open({
    ledger,
    platforms: [network.platform],
    webFolder: await builtWeb(),
    mode,
  })
  /** Lets time go by, with a turn of the engine every few minutes. */
  const pass = async (durationMs: number) => {
    for (let passedMs = 0; passedMs < durationMs; passedMs += 5 * minuteMs) {
      await engine.tick()
      await clock.advance(5 * minuteMs)
    }
    await engine.tick()
  }
  return { network, ledger, site, pass }
}
