/**
 * Owns which texts the ledger takes from people and generators: those that every store gives back
 * as they were. A text that comes back changed would not be the one its hash stands for (I8).
 */

import { requireWellFormed } from '../core/ids.ts'
import { InputError } from '../core/input-error.ts'
import type { Decision } from './steps/approval.ts'

export function requireText(value: string, field: string): void {
  if (requireWellFormed(value, field).includes('\0')) {
    throw new InputError(field, 'holds a NUL character, which not every store can keep')
  }
}

/** The texts of a decision, as far as its kind has any. */
export function requireTexts(decision: Decision): void {
  if ('text' in decision && decision.text !== undefined) requireText(decision.text, 'text')
  if ('reason' in decision) requireText(decision.reason, 'reason')
}
