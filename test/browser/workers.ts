/** The System screen where workers share a ledger, and where one process does all. */

import { beforeAll, describe, expect, test } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import { saveDeliveryState, savePresence } from '../../src/engine/delivery/presence.ts'
import type { Stage } from '../builders/engine.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  lookAsOwner,
  open,
  takePicture,
} from './looking.ts'
import type { Site } from './site.ts'
import { inFullWorld } from './worlds.ts'

let stage: Stage
let site: Site
inFullWorld((world) => ({ stage, site } = world))

test('where one process does all, nothing is said of workers', async () => {
  await using visited = await lookAsOwner(site)
  await open(visited.page, site, '/system')
  await visited.page.getByText('What is due is being done').waitFor()
  expect(await visited.page.getByRole('region', { name: 'Workers' }).count()).toBe(0)
})

describe('where workers share a ledger', () => {
  beforeAll(async () => {
    const { ledger } = stage
    const startedAt = (await ledger.now()) - 26 * hourMs
    const hosts = [
      ['w-1', 'worker-a.internal', 31, 48_211, 3],
      ['w-2', 'worker-b.internal', 12, 47_903, 0],
    ] as const
    for (const [id, host, busy, done, failed] of hosts) {
      const report = { id, host, version: '0.1.0', startedAt, places: 32, busy, done, failed }
      await savePresence(ledger, report)
    }
    const lag = { checkMs: 6 * minuteMs, actionMs: 2 * secondMs }
    await saveDeliveryState(ledger, { leader: 'w-2', ready: 2000, ...lag })
  })

  test.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 400],
    ['dark', 400],
  ] as const)('%s, %i px: who works and whether they keep up', async (colorScheme, width) => {
    await using visited = await lookAsOwner(site, {
      colorScheme,
      viewport: { width, height: 900 },
    })
    const { page, complaints } = visited
    await open(page, site, '/system')
    const workers = page.getByRole('region', { name: 'Workers' })
    await workers.getByText('at least 2,000 jobs ready').waitFor()
    const row = workers.getByRole('row', { name: 'worker-b.internal leads' })
    expect(await row.innerText()).toContain('12 of 32')
    expect(await workers.innerText()).toContain('start another worker')
    expect(await workers.innerText()).toContain('A few seconds are usual.')
    await expectNoSidewaysScroll(page, 'workers')
    await expectAccessible(page, `workers, ${colorScheme}, ${width} px`)
    await takePicture(page, `system-workers-${colorScheme}-${width}`)
    expect(complaints).toEqual([])
  })
})
