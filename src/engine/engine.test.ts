/** Tests the engine as a whole: turns, stopping, problems, two at once. */

import { describe, expect, test } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../core/duration.ts'
import type { ContentRequest, ContentResult } from '../content/index.ts'
import { LedgerError } from '../ledger/index.ts'
import type { AttemptRow } from '../ledger/index.ts'
import { noFault, onNextWrites } from '../platform/simulated/index.ts'
import type { FaultPlan } from '../platform/simulated/index.ts'
import { drained, once, Stage, threadTexts } from '../../test/builders/engine.ts'

const slowWrites: FaultPlan = (call) =>
  call.isWrite ? { kind: 'slow', delayMs: 10 * secondMs } : noFault

describe('tick', () => {
  test('does what is due, and says how much that was', async () => {
    const stage = await Stage.open({ mode: 'watch' })
    stage.publish()
    expect(await stage.engine.tick()).toBe(1)
    expect(await stage.engine.tick()).toBe(1)
    expect(await stage.engine.tick()).toBe(0)
  })

  test('run twice at once, it does nothing twice', async () => {
    const stage = await Stage.open()
    for (let count = 0; count < 4; count += 1) stage.publish(`Post ${count}.`)
    for (let step = 0; step < 60; step += 1) {
      await Promise.all([stage.engine.tick(), stage.engine.tick(), stage.engine.tick()])
      await stage.clock.advance(minuteMs)
    }
    const texts = stage.effects().map(({ key, segment }) => `${key}:${segment}`)
    expect(texts.length).toBeGreaterThanOrEqual(4)
    expect(new Set(texts).size).toBe(texts.length)
    expect(stage.problems).toEqual([])
  })
})

describe('start', () => {
  test('works by itself until it is stopped', async () => {
    const stage = await Stage.open()
    stage.publish()
    const running = stage.engine.start()
    await stage.wait(45 * minuteMs)
    expect(stage.effects()).toHaveLength(1)
    await stage.engine.stop()
    await running
    const calls = stage.calls.length
    await stage.wait(10 * minuteMs)
    expect(stage.calls).toHaveLength(calls)
  })

  test('sleeps while nothing is due, but never longer than it may', async () => {
    const stage = await Stage.open({ mode: 'watch' })
    stage.publish()
    void stage.engine.start()
    await stage.wait(minuteMs)
    const before = stage.count('nextDueAt')
    await stage.wait(9 * minuteMs)
    const turns = stage.count('nextDueAt') - before
    expect(turns).toBeGreaterThanOrEqual(18)
    expect(turns).toBeLessThanOrEqual(22)
    await stage.engine.stop()
  })
})

describe('stop', () => {
  test('waits for the send under way, and begins nothing new', async () => {
    const stage = await Stage.open({ settings: { accountsAtOnce: 1 } })
    await stage.addAccount('bob')
    stage.publish()
    stage.publish('By Bob.', {}, 'bob')
    stage.faults = slowWrites
    await stage.until(async () => ((await stage.actions()).length === 2 ? true : null))
    void stage.engine.start()
    await drained()
    await stage.clock.advance(2 * secondMs)
    let hasStopped = false
    const stopped = stage.engine.stop().then(() => (hasStopped = true))
    await drained()
    expect(hasStopped).toBe(false)
    expect(await stage.attempts()).toMatchObject([{ result: 'pending' }])
    await stage.wait(9 * secondMs)
    await stopped
    expect(await stage.attempts()).toMatchObject([{ result: 'landed' }])
    await stage.wait(10 * minuteMs)
    expect(stage.effects()).toHaveLength(1)
  })

  test('waits for a turn that was called by hand as well', async () => {
    const stage = await Stage.open()
    stage.publish()
    stage.faults = slowWrites
    await stage.planned()
    const ticked = stage.engine.tick()
    await drained()
    let hasStopped = false
    const stopped = stage.engine.stop().then(() => (hasStopped = true))
    await drained()
    expect(hasStopped).toBe(false)
    await stage.settled(ticked)
    await stopped
    expect(await stage.attempts()).toMatchObject([{ result: 'landed' }])
  })

  test('is done at once where nothing is under way, and can be repeated', async () => {
    const stage = await Stage.open()
    const running = stage.engine.start()
    await drained()
    await stage.engine.stop()
    await stage.engine.stop()
    await expect(running).resolves.toBeUndefined()
  })
})

describe('a ledger that fails', () => {
  test.each(['damaged', 'newer', 'foreign'] as const)('as %s stops the engine', async (kind) => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    const error = new LedgerError(kind, 'the file makes no sense')
    stage.ledgerFault = (call) => (call === 'claim' ? error : null)
    await expect(stage.engine.start()).rejects.toBe(error)
    stage.ledgerFault = () => null
    await stage.wait(10 * minuteMs)
    expect(stage.effects()).toEqual([])
    expect(stage.problems).toEqual([])
  })

  test('a policy that is missing is damage, and stops it too', async () => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    stage.engines = []
    const engine = stage.startEngine()
    stage.ledger.getPolicy = async () => null
    await expect(engine.start()).rejects.toMatchObject({ kind: 'damaged' })
    expect(stage.effects()).toEqual([])
  })

  test.each([
    'expire',
    'dueOfEach',
    'nextDueAt',
    'recordVerdicts',
    'recordSamples',
    'claim',
    'plan',
  ])('as busy during %s is reported, and work goes on', async (busyCall) => {
    const stage = await Stage.open({ policy: once })
    stage.publish()
    const error = new LedgerError('busy', 'others hold it')
    let left = 3
    stage.ledgerFault = (call) => (call === busyCall && left-- > 0 ? error : null)
    const running = stage.engine.start()
    await stage.wait(80 * minuteMs)
    expect(stage.problems.length).toBeGreaterThan(0)
    for (const problem of stage.problems) expect(problem.error).toBe(error)
    expect(stage.effects()).toHaveLength(1)
    await stage.engine.stop()
    await running
  })

  test('after a send, so that it cannot be settled, it is sent no second time', async () => {
    const stage = await Stage.open()
    stage.publish()
    const error = new LedgerError('unavailable', 'the disk is full')
    let left = 1
    stage.ledgerFault = (call) => (call === 'settle' && left-- > 0 ? error : null)
    const row = await stage.reached('success', 'needs_attention', 'failed')
    expect(row.state).toBe('success')
    expect(stage.count('commit')).toBe(1)
    expect(stage.effects()).toHaveLength(1)
    expect(stage.problems).toMatchObject([{ work: 'send', id: row.id, error }])
  })
})

describe('a clock that jumps', () => {
  test.each([
    [6 * minuteMs, /forward by 6 min/],
    [-hourMs, /back by 1 h/],
  ])('by %i ms pauses sending, and says so', async (jumpMs, reason) => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    stage.wallJumpMs = jumpMs
    await stage.pass(hourMs)
    const pauses = await stage.ledger.listPauses()
    expect(pauses).toMatchObject([{ scope: 'everything', until: null, by: 'clock' }])
    expect(pauses[0]?.reason).toMatch(reason)
    expect(stage.effects()).toEqual([])
    // Looked at and lifted: the clock is as it is, and that is no second jump.
    await stage.ledger.resume('everything', '')
    await stage.pass(15 * minuteMs)
    expect(stage.effects()).toHaveLength(1)
  })

  test('by less than that is no matter', async () => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    stage.wallJumpMs = 4 * minuteMs
    await stage.pass(minuteMs)
    expect(await stage.ledger.listPauses()).toEqual([])
    expect(stage.effects()).toHaveLength(1)
  })

  test('while the ledger is busy is noticed once it is not', async () => {
    const stage = await Stage.open()
    stage.publish()
    await stage.planned()
    stage.wallJumpMs = hourMs
    const error = new LedgerError('busy', 'others hold it')
    stage.ledgerFault = (call) => (call === 'pause' ? error : null)
    void stage.engine.start()
    await stage.wait(10 * secondMs)
    expect(stage.problems.length).toBeGreaterThan(0)
    stage.ledgerFault = () => null
    await stage.wait(10 * minuteMs)
    expect(await stage.ledger.listPauses()).toMatchObject([{ by: 'clock' }])
    expect(stage.effects()).toEqual([])
    await stage.engine.stop()
  })
})

describe('several engines on one ledger', () => {
  test('never both act', async () => {
    const stage = await Stage.open({ action: 'thread' })
    stage.startEngine()
    stage.startEngine()
    for (let count = 0; count < 3; count += 1) stage.publish(`Post ${count}.`)
    stage.faults = slowWrites
    const running = stage.engines.map((engine) => engine.start())
    await stage.wait(hourMs)
    await Promise.all([...stage.engines.map((engine) => engine.stop()), ...running])
    const rows = await stage.actions()
    expect(rows).toHaveLength(3)
    for (const { key, state } of rows) {
      expect(state).toBe('success')
      const effects = stage.network.truth.effectsOf(key)
      expect(effects.map(({ text }) => text)).toEqual(threadTexts)
    }
    expect(stage.problems).toEqual([])
  })
})

describe('sends at the same time', () => {
  const overlaps = (a: AttemptRow, b: AttemptRow) =>
    a.startedAt < (b.endedAt ?? Infinity) && b.startedAt < (a.endedAt ?? Infinity)

  async function mostAtOnce(handles: readonly string[], accountsAtOnce: number): Promise<number> {
    const stage = await Stage.open({ settings: { accountsAtOnce } })
    for (const handle of handles) if (handle !== 'ann') await stage.addAccount(handle)
    for (const handle of handles) {
      stage.publish(`One by ${handle}.`, {}, handle)
      stage.publish(`Two by ${handle}.`, {}, handle)
    }
    stage.faults = slowWrites
    await stage.until(async () => {
      const rows = await stage.actions()
      const isDone = rows.length === 2 * handles.length && rows.every(({ endedAt }) => endedAt)
      return isDone ? true : null
    })
    const attempts = await stage.attempts()
    expect(attempts).toHaveLength(2 * handles.length)
    return Math.max(...attempts.map((a) => attempts.filter((b) => overlaps(a, b)).length))
  }

  test('there is one for each account', async () => {
    expect(await mostAtOnce(['ann'], 8)).toBe(1)
    expect(await mostAtOnce(['ann', 'bob', 'cyd'], 8)).toBe(3)
  })

  test('there are no more than accounts may be worked on at once', async () => {
    expect(await mostAtOnce(['ann', 'bob', 'cyd'], 2)).toBe(2)
    expect(await mostAtOnce(['ann', 'bob', 'cyd'], 1)).toBe(1)
  })
})

test('one account in trouble does not keep the others from being worked on', async () => {
  const stage = await Stage.open()
  await stage.addAccount('bob', { platform: 'a network nobody handed in' })
  await stage.act('success')
  expect(stage.problems.length).toBeGreaterThan(0)
  for (const { work, id } of stage.problems) expect([work, id]).toEqual(['discover', 'bob'])
})

test('a fault of one write leaves the posts of the same account to go on', async () => {
  const stage = await Stage.open()
  stage.publish('One.')
  stage.publish('Two.')
  stage.faults = onNextWrites({ kind: 'lost_request' })
  await stage.pass(hourMs)
  expect((await stage.actions()).map(({ state }) => state).toSorted()).toEqual([
    'needs_attention',
    'success',
  ])
})

describe('work that fails for a reason of its own', () => {
  test('is put off, and does not stand in the way of others', async () => {
    const stage = await Stage.open({ settings: { batch: 1 } })
    // Nobody handed in a connector for these two.
    for (const handle of ['abe', 'amy']) await stage.addAccount(handle, { platform: 'elsewhere' })
    stage.publish()
    await stage.turn()
    await stage.turn()
    await stage.turn()
    expect(stage.problems).toMatchObject([{ work: 'discover' }, { work: 'discover' }])
    expect(await stage.posts()).toHaveLength(1)
    await stage.pass(6 * minuteMs)
    expect(stage.problems).toHaveLength(4)
  })

  test('on one post leaves the others of the account to go on', async () => {
    const write = ({ post }: ContentRequest): ContentResult => {
      if (post.text === 'Bad.') throw new Error('The writer broke')
      return { kind: 'text', text: 'What do you think?', source: 'test' }
    }
    const stage = await Stage.open({ write })
    stage.publish('Bad.')
    stage.publish('Good.')
    await stage.reached('success')
    const good = await stage.post(stage.effects()[0]?.postId)
    expect(good.text).toBe('Good.')
    const problems = stage.problems.length
    await stage.turn()
    await stage.turn()
    expect(stage.problems).toHaveLength(problems)
    expect(stage.problems[0]).toMatchObject({ work: 'check' })
  })
})
