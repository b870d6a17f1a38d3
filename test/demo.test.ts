/** The demo has something to show, is the same from the same seed, and goes on where it was. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDemo } from '../src/demo/demo.ts'
import type { Demo } from '../src/demo/demo.ts'
import { createEngine } from '../src/engine/engine.ts'
import { learn } from '../src/engine/learn.ts'
import type { ActionRow } from '../src/ledger/rows.ts'

/** A Tuesday at four in the afternoon in UTC. */
const now = Date.UTC(2026, 5, 16, 16)

/** Stands still unless it is moved, so that nothing depends on how fast this machine is. */
function standingClock() {
  let elapsedMs = 0
  return {
    now: () => now + elapsedMs,
    monotonicMs: () => elapsedMs,
    sleep: () => Promise.resolve(),
    pass: (durationMs: number) => {
      elapsedMs += durationMs
    },
  }
}

const folder = mkdtempSync(join(tmpdir(), 'secondwind-demo-'))
const real = standingClock()
const reports: (readonly [number, number])[] = []

function open(): Promise<Demo> {
  const onProgress = (done: number, all: number) => reports.push([done, all])
  return openDemo({ folder, seed: 'test', real, speed: 60, onProgress })
}

async function actionsOf({ ledger }: Demo): Promise<readonly ActionRow[]> {
  return ledger.listActions({}, { after: null, limit: 5000 })
}

function visibleEffects({ networks }: Demo) {
  return networks.flatMap(({ truth }) =>
    truth.effects().map(({ key, segment, remoteId, at }) => `${key}:${segment}:${remoteId}:${at}`),
  )
}

let demo: Demo
beforeAll(async () => {
  demo = await open()
}, 120_000)
afterAll(async () => {
  await demo[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

describe('the demo', () => {
  test('has a past that the engine lived through, and dozens of live posts', async () => {
    const posts = await demo.ledger.listPosts({}, { after: null, limit: 5000 })
    const count = (status: string) => posts.filter((post) => post.status === status).length
    expect(count('closed')).toBeGreaterThanOrEqual(380)
    expect(count('watched')).toBeGreaterThanOrEqual(25)
    expect(count('watched')).toBeLessThanOrEqual(60)
    const [done, all] = reports.at(-1) ?? [0, 1]
    expect(done).toBe(all)
  })

  test('has approvals to give, a failure to look at, and a hold by a guard', async () => {
    const states = (await actionsOf(demo)).map(({ state }) => state)
    expect(states.filter((state) => state === 'awaiting_approval').length).toBeGreaterThan(0)
    expect(states.filter((state) => state === 'failed')).toHaveLength(1)
    const reasons = new Set<string | null>()
    for (const post of await demo.ledger.listPosts({}, { after: null, limit: 5000 })) {
      for (const { reason } of await demo.ledger.listVerdicts(post.id, 60)) reasons.add(reason)
    }
    expect(reasons).toContain('backlash')
    expect(reasons).toContain('quiet_hours')
  })

  test('shows that comments help, as they truly do, and leaves threads unproven', async () => {
    const { byAction } = await learn(demo.ledger)
    const verdicts = Object.fromEntries(byAction.map(({ name, lift }) => [name, lift?.verdict]))
    expect(verdicts).toMatchObject({ comment: 'helps', thread: 'unproven' })
  })

  test('what the networks show is what the ledger says, once each', async () => {
    const landed = (await actionsOf(demo)).filter(({ state }) => state === 'success')
    const keys = new Set(
      demo.networks.flatMap(({ truth }) => truth.effects().map(({ key }) => key)),
    )
    expect(keys).toEqual(new Set(landed.map(({ key }) => key)))
    const effects = visibleEffects(demo)
    expect(new Set(effects).size).toBe(effects.length)
  })

  test('goes on where it was: the same networks, and no second past', async () => {
    const effects = visibleEffects(demo)
    const before = demo.clock.now()
    const actions = (await actionsOf(demo)).length
    await demo[Symbol.asyncDispose]()
    demo = await open()
    expect(demo.isContinued).toBe(true)
    expect(visibleEffects(demo)).toEqual(effects)
    expect((await actionsOf(demo)).length).toBe(actions)
    expect(demo.clock.now()).toBeGreaterThanOrEqual(before)
    // A minute of ours is an hour of theirs.
    real.pass(60_000)
    const engine = createEngine(demo.engineOptions)
    expect(await engine.tick()).toBeGreaterThan(0)
    expect(demo.clock.now()).toBeGreaterThanOrEqual(before + 3_600_000)
  })
})
