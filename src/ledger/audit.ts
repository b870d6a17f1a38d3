/**
 * Owns the hash chain over events. Each entry's hash covers the one before it, so that a changed,
 * missing or reordered event is found. Sealing happens after the events' own transactions, because
 * a chain inside them would make every writer wait for the one before.
 */

import { hash } from 'node:crypto'
import type { LedgerEvent } from '../core/events.ts'

export interface AuditEntry {
  /** From 1, without gaps. */
  readonly number: number
  readonly seq: number
  readonly hash: string
}

/** The hash that stands before the first entry. */
export const chainStart = '0'.repeat(64)

export function sealEvent(previousHash: string, number: number, event: LedgerEvent): AuditEntry {
  const text = `${previousHash}\n${number}\n${canonicalText(event)}`
  return { number, seq: event.seq, hash: hash('sha256', text, 'hex') }
}

/** One text for one event, whatever order a store gives its fields in. */
function canonicalText(event: LedgerEvent): string {
  const data = Object.entries(event.data).sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([
    event.seq,
    event.at,
    event.type,
    event.accountId,
    event.postId,
    event.actionId,
    data,
  ])
}

export type AuditProblem =
  | { readonly kind: 'changed'; readonly number: number; readonly seq: number }
  | { readonly kind: 'missing_event'; readonly number: number; readonly seq: number }
  | { readonly kind: 'missing_entry'; readonly number: number }

/** Checks entries in order, a page at a time; give the state back with the next page. */
export interface AuditCheck {
  readonly number: number
  readonly hash: string
  readonly problems: readonly AuditProblem[]
}

export const auditStart: AuditCheck = { number: 0, hash: chainStart, problems: [] }

export function checkEntry(
  state: AuditCheck,
  entry: AuditEntry,
  event: LedgerEvent | null,
): AuditCheck {
  const problems: AuditProblem[] = []
  for (let number = state.number + 1; number < entry.number; number += 1) {
    problems.push({ kind: 'missing_entry', number })
  }
  if (event === null) {
    problems.push({ kind: 'missing_event', number: entry.number, seq: entry.seq })
  } else if (
    problems.length === 0 &&
    sealEvent(state.hash, entry.number, event).hash !== entry.hash
  ) {
    problems.push({ kind: 'changed', number: entry.number, seq: entry.seq })
  }
  // The chain goes on from what is stored, so that one change is reported once.
  return {
    number: entry.number,
    hash: entry.hash,
    problems: [...state.problems, ...problems],
  }
}
