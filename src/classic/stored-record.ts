/**
 * Owns one record of the history: how it is read from the file, how it is written to it, and what
 * the core sees of it. Each record keeps its own text, so that one nobody touches is written back
 * as it was, whoever wrote it.
 */

import { isAction, isTier } from '../core/action.ts'
import type { PastAction } from '../core/history.ts'
import type { ActionKey } from '../core/ids.ts'
import { InputError } from '../core/input-error.ts'
import { parseInstant, requireInstant } from '../core/instant.ts'
import type { Instant } from '../core/instant.ts'
import type { State } from '../core/states.ts'
import { enclose, toPythonJson, toPythonText } from './python-json.ts'
import type { ActionRecord, ActionTier, ActionType } from './wire.ts'
import type { WireTime } from './wire-time.ts'

/** A record as the history holds it. What nobody asks for again stands only in the text. */
export interface StoredRecord {
  /** As it stands in the file, without the indent of its first line. */
  readonly text: string
  readonly postId: string
  readonly status: string
  readonly attempts: number
  readonly errorCode: string | null
  /** The record as the core's guards see it. */
  readonly past: PastAction
}

/** A record that is about to be written. */
export interface RecordDraft {
  readonly key: string
  readonly postId: string
  readonly action: ActionType
  readonly tier: ActionTier
  readonly initiatedAt: WireTime
  readonly status: string
  readonly attempts: number
  /** Already as text, see `outcomeText`. */
  readonly outcomeText: string
  readonly errorCode: string | null
}

const recordLevel = 1

/** Checks an outcome and writes it as it will stand in its record. */
export function outcomeText(outcome: unknown): string {
  return toPythonJson(outcome, 'outcome', recordLevel + 1)
}

/** Writes a record in the original's form and order of fields. */
export function writeRecord(draft: RecordDraft): StoredRecord {
  const { key, postId, action, tier, status, attempts, errorCode } = draft
  const fields = [
    `"idempotency_key": ${toPythonText(key)}`,
    `"post_id": ${toPythonText(postId)}`,
    `"action_type": "${action}"`,
    `"tier": "${tier}"`,
    `"initiated_at": "${draft.initiatedAt.text}"`,
    `"status": ${toPythonText(status)}`,
    `"attempts": ${attempts}`,
    `"outcome": ${draft.outcomeText}`,
    `"error_code": ${errorCode === null ? 'null' : toPythonText(errorCode)}`,
  ]
  const text = enclose('{', fields, '}', recordLevel)
  const past = toPastAction(key, action, tier, status, draft.initiatedAt.at)
  return { text, postId, status, attempts, errorCode, past }
}

/** Reads one element of the file. An InputError names the field that cannot be used. */
export function readRecord(text: string): StoredRecord {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InputError('record', 'is not a JSON object')
  }
  const fields = value as Readonly<Record<string, unknown>>
  const action = fields['action_type']
  if (!isAction(action)) throw new InputError('action_type', 'is not comment, edit or thread')
  const tier = fields['tier']
  if (!isTier(tier)) throw new InputError('tier', 'is not tier_1, tier_2 or tier_3')
  const status = textField(fields, 'status')
  const time = textField(fields, 'initiated_at')
  const at = requireInstant(parseInstant(time, 'initiated_at'), 'initiated_at')
  const { attempts = 1, error_code: errorCode = null } = fields
  if (typeof attempts !== 'number') throw new InputError('attempts', 'is not a number')
  if (errorCode !== null && typeof errorCode !== 'string') {
    throw new InputError('error_code', 'is neither text nor null')
  }
  const past = toPastAction(textField(fields, 'idempotency_key'), action, tier, status, at)
  return { text, postId: textField(fields, 'post_id'), status, attempts, errorCode, past }
}

function textField(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (value === undefined) throw new InputError(name, 'is missing')
  if (typeof value !== 'string') throw new InputError(name, 'is not text')
  return value
}

/** The record as it is handed to a caller, who may keep it: nothing here refers to it. */
export function toActionRecord(record: StoredRecord): ActionRecord {
  return JSON.parse(record.text) as ActionRecord
}

function toPastAction(
  key: string,
  action: ActionType,
  tier: ActionTier,
  status: string,
  at: Instant,
): PastAction {
  const state = toState(status)
  return {
    // The original takes any text for a key; the guards only compare it.
    key: key as ActionKey,
    action,
    tier,
    state,
    at,
    endedAt: state === 'running' ? null : at,
  }
}

/** The guards tell only these two from the rest, which the original lets be any text. */
function toState(status: string): State {
  return status === 'success' || status === 'running' ? status : 'failed'
}
