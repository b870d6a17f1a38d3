/** What must be true of the audit log: whole as it was written, and damage in it is found. */

import assert from 'node:assert/strict'
import { chainStart } from '../../ledger/audit.ts'
import { casesOf } from './case.ts'
import type { World } from './world.ts'

/** Numbers in the audit log and in the event table differ on a store that leaves gaps. */
async function sealedLife(world: World): Promise<readonly number[]> {
  await world.succeeded()
  const { events } = await world.ledger.readEvents(null, {}, 999)
  assert.equal(await world.ledger.seal(999), events.length)
  return events.map(({ seq }) => seq)
}

export const auditCases = casesOf('the audit log', {
  'of an empty ledger is whole': async (world) => {
    const report = { entries: 0, head: chainStart, unsealed: 0, problems: [] }
    assert.deepEqual(await world.ledger.verifyAudit(), report)
    assert.equal(await world.ledger.seal(9), 0)
  },

  'covers what is sealed and counts what is not yet': async (world) => {
    const seqs = await sealedLife(world)
    const sealed = await world.ledger.verifyAudit()
    assert.deepEqual([sealed.entries, sealed.unsealed, sealed.problems], [seqs.length, 0, []])
    await world.post()
    const tail = await world.ledger.verifyAudit()
    assert.deepEqual(tail, { ...sealed, unsealed: 2 })
    assert.equal(await world.ledger.seal(999), 2)
    const all = await world.ledger.verifyAudit()
    assert.deepEqual([all.entries, all.unsealed], [seqs.length + 2, 0])
    assert.notEqual(all.head, sealed.head)
  },

  'is the same chain whether it is sealed in small steps or large': async (world) => {
    await world.succeeded()
    assert.equal(await world.ledger.seal(2), 2)
    assert.equal((await world.ledger.verifyAudit()).entries, 2)
    for (let turn = 0; turn < 99 && (await world.ledger.seal(1)) > 0; turn += 1);
    await world.harness.reopen()
    const { entries, unsealed, problems } = await world.ledger.verifyAudit()
    const { events } = await world.ledger.readEvents(null, {}, 999)
    assert.deepEqual([entries, unsealed, problems], [events.length, 0, []])
  },

  'sealed by two at once has each event once': async (world) => {
    await world.succeeded()
    const other = await world.harness.second()
    const { events } = await world.ledger.readEvents(null, {}, 999)
    const counts = await Promise.all([world.ledger.seal(999), other.ledger.seal(999)])
    assert.equal(counts[0] + counts[1], events.length)
    const report = await other.ledger.verifyAudit()
    assert.deepEqual([report.entries, report.problems], [events.length, []])
  },

  'shows an event that was changed': async (world) => {
    const seqs = await sealedLife(world)
    const { head } = await world.ledger.verifyAudit()
    await world.harness.tamper.changeEvent(seqs[3] as number)
    const report = await world.ledger.verifyAudit()
    assert.deepEqual(report.problems, [{ kind: 'changed', number: 4, seq: seqs[3] }])
    assert.equal(report.head, head)
  },

  'shows an event that is missing': async (world) => {
    const seqs = await sealedLife(world)
    await world.harness.tamper.deleteEvent(seqs[2] as number)
    const { problems } = await world.ledger.verifyAudit()
    assert.deepEqual(problems, [{ kind: 'missing_event', number: 3, seq: seqs[2] }])
  },

  'shows the last event missing as well as any other': async (world) => {
    const seqs = await sealedLife(world)
    await world.harness.tamper.deleteEvent(seqs.at(-1) as number)
    const { problems } = await world.ledger.verifyAudit()
    const number = seqs.length
    assert.deepEqual(problems, [{ kind: 'missing_event', number, seq: seqs.at(-1) }])
  },

  'shows entries that were exchanged': async (world) => {
    const seqs = await sealedLife(world)
    await world.harness.tamper.swapAudit(2, 3)
    const { problems } = await world.ledger.verifyAudit()
    assert.deepEqual(problems, [
      { kind: 'changed', number: 2, seq: seqs[2] },
      { kind: 'changed', number: 3, seq: seqs[1] },
      { kind: 'changed', number: 4, seq: seqs[3] },
    ])
  },

  'goes on after damage, which stays visible': async (world) => {
    const seqs = await sealedLife(world)
    await world.harness.tamper.changeEvent(seqs[0] as number)
    await world.post()
    assert.equal(await world.ledger.seal(9), 2)
    const { problems, unsealed } = await world.ledger.verifyAudit()
    assert.deepEqual(problems, [{ kind: 'changed', number: 1, seq: seqs[0] }])
    assert.equal(unsealed, 0)
  },
})
