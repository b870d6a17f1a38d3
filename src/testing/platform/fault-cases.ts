/**
 * What must be true when something goes wrong: a write that may have landed is `unknown`, `no` is
 * said only where it is so, and reading back agrees with what people see (I1, I6).
 */

import assert from 'node:assert/strict'
import { actions } from '../../core/action.ts'
import type { Action } from '../../core/action.ts'
import type { WriteClass } from '../../core/capabilities.ts'
import type { Fault } from '../../core/fault.ts'
import { casesOf } from './case.ts'
import type { CasesFor, Plays } from './case.ts'
import type { HarnessFault } from './harness.ts'
import type { World, Write } from './world.ts'

export const faultCases: CasesFor = (suite) =>
  actions.flatMap((action) => {
    const ability = suite.description.actions[action]
    if (!ability.supported) return []
    const plays = suite.faults.map((fault) => playsOf(fault, action, ability.writeClass))
    return casesOf(suite, `faulty ${action}`, Object.assign({}, ...plays) as Plays)
  })

/** What the caller must be told; null where more than one answer is right. */
interface Expectation {
  readonly landed: Fault['landed'] | null
  readonly code: Fault['code'] | null
}

const expectations: Readonly<Record<HarnessFault, Expectation>> = {
  unreachable: { landed: null, code: 'network_error' },
  lost_request: { landed: 'unknown', code: null },
  lost_answer: { landed: 'unknown', code: null },
  late_apply: { landed: 'unknown', code: null },
  stalled: { landed: 'unknown', code: 'timeout' },
  server_error_before: { landed: 'unknown', code: null },
  server_error_after: { landed: 'unknown', code: null },
  malformed: { landed: 'unknown', code: null },
  rate_limited: { landed: 'no', code: 'rate_limit' },
  spam: { landed: 'no', code: 'spam' },
}

function playsOf(fault: HarnessFault, action: Action, writeClass: WriteClass): Plays {
  const reading: Plays = {
    [`${fault}: what is said and found afterwards is true`]: async (world) => {
      const write = await world.write(action, await world.publish())
      const said = await failWith(world, write, fault)
      requireExpected(world, said, expectations[fault])
      await passAll(world)
      const visible = await world.countVisible(write)
      assert.ok(visible <= 1, `It is there ${visible} times`)
      if (said.landed === 'no') assert.equal(visible, 0, 'It was said not to have landed')
      requireHonest((await world.locate(write)).kind, visible, writeClass)
    },
  }
  if (writeClass !== 'A' || expectations[fault].landed !== 'unknown') return reading
  return {
    ...reading,
    [`${fault}: sent again, it is there once`]: async (world) => {
      const write = await world.write(action, await world.publish())
      await failWith(world, write, fault)
      await world.commit(write).catch(() => null)
      await passAll(world)
      assert.equal(await world.countVisible(write), 1)
      assert.equal((await world.locate(write)).kind, 'found')
    },
  }
}

/** Sends a write into a fault. Where no answer ever comes, the caller gives up. */
async function failWith(world: World, write: Write, fault: HarnessFault): Promise<Fault> {
  const controller = new AbortController()
  const { met } = world.harness.failNextWrite(fault)
  const said = world.faultOf(world.commit(write, controller.signal), 'write')
  if (fault === 'stalled') {
    // A connector that fails before it sends anything never meets the fault.
    await Promise.race([met, said.catch(() => null)])
    controller.abort()
  }
  return said
}

/** Until a write that is still on its way has arrived and can be read back. */
async function passAll(world: World): Promise<void> {
  await world.harness.pass(world.suite.lateMs)
  await world.settle()
}

function requireExpected(world: World, said: Fault, expected: Expectation): void {
  if (expected.landed !== null) assert.equal(said.landed, expected.landed)
  if (expected.code !== null) assert.equal(said.code, expected.code)
  if (expected.code !== 'rate_limit') return
  assert.ok(said.retryAt !== null, 'The network said when to come back')
  assert.ok(said.retryAt > world.harness.now())
}

function requireHonest(kind: string, visible: number, writeClass: WriteClass): void {
  if (writeClass === 'C') assert.equal(kind, 'cannot_tell')
  else assert.equal(kind, visible === 1 ? 'found' : 'not_found')
}
