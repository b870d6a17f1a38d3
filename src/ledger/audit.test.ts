/** Shows that the chain finds what was changed, removed or moved, and nothing else. */

import { describe, expect, test } from 'vitest'
import type { LedgerEvent } from '../core/events.ts'
import { toActionId } from '../core/ids.ts'
import { auditStart, chainStart, checkEntry, sealEvent } from './audit.ts'
import type { AuditCheck, AuditEntry } from './audit.ts'

function event(seq: number, changes: Partial<LedgerEvent> = {}): LedgerEvent {
  const subject = { accountId: null, postId: null, actionId: toActionId('a') }
  const data = { number: seq, segment: 0 }
  return { seq, at: 1000 + seq, type: 'attempt_begun', ...subject, data, ...changes } as LedgerEvent
}

const events = [event(1), event(2), event(5), event(6)]

function seal(list: readonly LedgerEvent[]): readonly AuditEntry[] {
  const entries: AuditEntry[] = []
  for (const [index, one] of list.entries()) {
    entries.push(sealEvent(entries.at(-1)?.hash ?? chainStart, index + 1, one))
  }
  return entries
}

function verify(entries: readonly AuditEntry[], stored: readonly (LedgerEvent | null)[]) {
  return entries.reduce<AuditCheck>(
    (state, entry, index) => checkEntry(state, entry, stored[index] ?? null),
    auditStart,
  )
}

describe('the chain', () => {
  test('is whole as it was sealed, with gaps in the numbers of events', () => {
    const entries = seal(events)
    const report = verify(entries, events)
    expect(report).toEqual({ number: 4, hash: entries.at(-1)?.hash, problems: [] })
  })

  test('does not depend on the order in which a store gives the fields', () => {
    const [first] = events as [LedgerEvent]
    const data = { segment: 0, number: 1 }
    const shuffled = { data, ...Object.fromEntries(Object.entries(first).toReversed()) }
    const again = { ...shuffled, data } as LedgerEvent
    expect(seal([again])).toEqual(seal([first]))
  })

  const changes: readonly [string, Partial<LedgerEvent>][] = [
    ['time', { at: 1 }],
    ['number', { seq: 9 }],
    ['subject', { actionId: toActionId('b') }],
    ['data', { data: { number: 2, segment: 1 } }],
    ['type', { type: 'incident' }],
  ]
  test.each(changes)('shows a changed %s once, where it is', (_, change) => {
    const stored = events.with(1, event(2, change))
    const { problems } = verify(seal(events), stored)
    expect(problems).toEqual([{ kind: 'changed', number: 2, seq: 2 }])
  })

  test('shows a missing event', () => {
    const stored = [events[0] ?? null, null, ...events.slice(2)]
    const { problems } = verify(seal(events), stored)
    expect(problems).toEqual([{ kind: 'missing_event', number: 2, seq: 2 }])
  })

  test('shows missing entries, and checks what comes after them', () => {
    const entries = seal(events).toSpliced(1, 2)
    const stored = events.toSpliced(1, 2)
    expect(verify(entries, stored).problems).toEqual([
      { kind: 'missing_entry', number: 2 },
      { kind: 'missing_entry', number: 3 },
    ])
    const [first] = entries
    const last = event(6, { at: 1 })
    const changed = verify([...seal(events)], [...events.slice(0, 3), last])
    expect(first?.number).toBe(1)
    expect(changed.problems).toEqual([{ kind: 'changed', number: 4, seq: 6 }])
  })

  test('shows an entry whose hash was replaced, and the one that was chained to it', () => {
    const entries = seal(events)
    const forged = entries.with(1, { number: 2, seq: 2, hash: 'f'.repeat(64) })
    const numbers = verify(forged, events).problems.map(({ number }) => number)
    expect(numbers).toEqual([2, 3])
  })
})
