/** Tests that a jump of the clock pauses sending. */

import { expect, test } from 'vitest'
import { hourMs, minuteMs } from '../core/duration.ts'
import { createLedger, MemoryStore } from '../ledger/index.ts'
import { VirtualClock } from '../testing/platform/virtual-clock.ts'
import { ClockWatch } from './clock-watch.ts'
import { assemble } from './parts.ts'

/** A watch on a clock whose wall time can be set apart from the time that passes. */
function watchedClock() {
  const clock = new VirtualClock()
  const ledger = createLedger(new MemoryStore(clock))
  let offMs = 0
  const wall = {
    now: () => clock.now() + offMs,
    monotonicMs: () => clock.monotonicMs(),
    sleep: (durationMs: number, signal?: AbortSignal) => clock.sleep(durationMs, signal),
  }
  const parts = assemble({
    ledger,
    platforms: [],
    clock: wall,
    random: { fraction: () => 0, id: () => 'id' },
    content: { write: async () => ({ kind: 'nothing', why: 'no words' }) },
  })
  const watch = new ClockWatch(parts)
  const jump = (byMs: number) => (offMs += byMs)
  return { clock, ledger, watch, jump }
}

test('time that passes is no jump, however much of it', async () => {
  const { clock, ledger, watch } = watchedClock()
  await clock.advance(1000 * hourMs)
  await watch.check()
  expect(await ledger.listPauses()).toEqual([])
})

test.each([5 * minuteMs, -5 * minuteMs])('a jump by %i ms is tolerated', async (byMs) => {
  const { ledger, watch, jump } = watchedClock()
  jump(byMs)
  await watch.check()
  expect(await ledger.listPauses()).toEqual([])
})

test.each([5 * minuteMs + 1, -5 * minuteMs - 1])('a jump by %i ms pauses', async (byMs) => {
  const { ledger, watch, jump } = watchedClock()
  jump(byMs)
  await watch.check()
  expect(await ledger.listPauses()).toMatchObject([{ scope: 'everything', until: null }])
})

test('one jump pauses once, and a second one again', async () => {
  const { ledger, watch, jump } = watchedClock()
  jump(hourMs)
  await watch.check()
  await ledger.resume('everything', '')
  await watch.check()
  expect(await ledger.listPauses()).toEqual([])
  jump(-hourMs)
  await watch.check()
  expect(await ledger.listPauses()).toHaveLength(1)
})

test('many small ones that add up slowly are drift, and no jump', async () => {
  const { ledger, watch, jump } = watchedClock()
  for (let step = 0; step < 10; step += 1) {
    jump(minuteMs)
    await watch.check()
  }
  expect(await ledger.listPauses()).toEqual([])
})
