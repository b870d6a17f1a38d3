/** Compares what is stored with what the model expects, and with what was stored before. */

import assert from 'node:assert/strict'
import { canFollow } from '../../src/core/index.ts'
import type { ActionRow, AttemptRow, Ledger } from '../../src/ledger/index.ts'
import type { State } from '../../src/core/index.ts'
import type { Model, ModelAction } from './ledger-model.ts'
import { isEnded } from './ledger-model.ts'
import type { Real } from './real.ts'

interface Seen {
  readonly row: ActionRow
  readonly attempts: readonly AttemptRow[]
}

/** What was stored when it was last looked at. */
const seen = new WeakMap<Model, Map<string, Seen>>()

/** Every row is where the model has it; ended rows and frozen texts are as they were (I7, I8). */
export async function verify(model: Model, ledger: Ledger): Promise<void> {
  const before = seen.get(model) ?? new Map<string, Seen>()
  const rows = await readRows(ledger)
  const ids = model.actions.map(({ id }) => id)
  const stored = rows.map(({ id }) => id)
  assert.deepEqual(stored, ids.toSorted(), 'rows appeared or went away')
  const now = new Map<string, Seen>()
  for (const action of model.actions) {
    const row = rows.find(({ id }) => id === action.id) as ActionRow
    const attempts = action.sends.length === 0 ? [] : await ledger.listAttempts(action.id)
    now.set(action.id, { row, attempts })
    compare(action, row, attempts)
    const earlier = before.get(action.id)
    if (earlier !== undefined) compareWithBefore(earlier, { row, attempts })
  }
  seen.set(model, now)
}

async function readRows(ledger: Ledger): Promise<readonly ActionRow[]> {
  return ledger.listActions({}, { after: null, limit: 500 })
}

function compare(action: ModelAction, row: ActionRow, attempts: readonly AttemptRow[]): void {
  assert.equal(row.state, action.state, `${row.id} is ${row.state}, not ${action.state}`)
  assert.equal(row.key, action.key, 'a key changed')
  assert.equal(row.text, action.text, 'a text is not the one that was agreed (I8)')
  assert.equal(row.endedAt === null, !isEnded(action), 'ended and open at once')
  const holder = action.state === 'running' ? action.token : row.token
  assert.equal(row.token, holder, 'the holder changed')
  assert.deepEqual(
    attempts.map(({ id, segment, result }) => [id, segment, result]),
    action.sends.map(({ attemptId, segment, told }) => [attemptId, segment, told]),
  )
}

function compareWithBefore(before: Seen, after: Seen): void {
  const { row } = after
  if (before.row.endedAt !== null) assert.deepEqual(row, before.row, 'an ended row changed (I7)')
  if (before.row.firstClaimedAt !== null) {
    const { text, textHash, revision, firstClaimedAt } = before.row
    const frozen = { ...row, text, textHash, revision, firstClaimedAt }
    assert.deepEqual(row, frozen, 'a frozen text changed (I8)')
  }
  assert.ok(row.version >= before.row.version, 'a version went back')
  if (row.version === before.row.version) assert.deepEqual(row, before.row, 'changed unseen')
  for (const [index, attempt] of before.attempts.entries()) {
    if (attempt.result !== 'landed') continue
    assert.deepEqual(after.attempts[index], attempt, 'a landing was forgotten (I4)')
  }
}

/** After a restart everything that was acknowledged is there, to the last field (I4). */
export async function verifyRestart(model: Model, real: Real): Promise<void> {
  const before = await dump(model, real.client(0))
  await real.reopen()
  assert.deepEqual(await dump(model, real.client(1)), before, 'lost over a restart (I4)')
}

async function dump(model: Model, ledger: Ledger) {
  const rows = await readRows(ledger)
  const attempts = []
  for (const { id } of model.actions) attempts.push(await ledger.listAttempts(id))
  const { events } = await ledger.readEvents(null, {}, 5000)
  return { rows, attempts, events, pauses: await ledger.listPauses() }
}

/** The events alone tell every state that each action went through, in the order of time. */
export async function verifyEvents(model: Model, ledger: Ledger): Promise<void> {
  const { events } = await ledger.readEvents(null, {}, 5000)
  let last = 0
  const states = new Map<string, State>()
  const begun = new Map<string, number>()
  for (const event of events) {
    const id = event.actionId
    if (id === null) continue
    assert.ok(event.at >= last, 'an event lies before the one before it')
    last = event.at
    if (event.type === 'action_planned') states.set(id, event.data.state)
    if (event.type === 'attempt_begun') begun.set(id, event.data.number)
    if (event.type !== 'action_changed') continue
    const { from, to } = event.data
    assert.equal(from, states.get(id), 'a change that does not begin where the last ended')
    assert.ok(canFollow(from, to), `${from} → ${to}`)
    states.set(id, to)
  }
  for (const { id, state, sends } of model.actions) {
    assert.equal(states.get(id), state, `the events say otherwise of ${id}`)
    assert.equal(begun.get(id) ?? 0, sends.length, `the events tell of other sends of ${id}`)
  }
}
