/** Owns what a failure of Postgres means to the ledger, and what a person can do about it. */

import { InputError } from '../../core/input-error.ts'
import { LedgerError } from '../ledger-error.ts'

/** Whether a COMMIT was on its way when it failed. Then nobody here can know what became of it. */
export type Phase = 'before_commit' | 'commit'

/** Two waited for each other, or an order could not be kept: nothing was written. */
export function isRetryable(error: unknown): boolean {
  const code = serverCode(error)
  return code === '40001' || code === '40P01'
}

/** The line went down, the server stopped, or it could not be reached. */
export function isConnectionLoss(error: unknown): boolean {
  if (!(error instanceof Error) || error instanceof LedgerError) return false
  const code = serverCode(error)
  // What the server did not say itself came from the driver or the socket.
  return code === null || code.startsWith('08') || lossCodes.has(code)
}

const lossCodes = new Set([
  '57P01', // the server is told to stop
  '57P02', // another of its processes crashed
  '57P03', // it is starting up
  '57P05', // it ended an idle session
  '25P03', // it ended a transaction in which nothing happened for too long
  '53300', // too many connections
])

/** The code of an error that the server sent, or null where it comes from elsewhere. */
function serverCode(error: unknown): string | null {
  if (!(error instanceof Error) || !('severity' in error) || !('code' in error)) return null
  return typeof error.code === 'string' ? error.code : null
}

/** What is no matter of Postgres passes through as it is. */
export function toLedgerError(error: unknown, phase: Phase): unknown {
  if (!(error instanceof Error) || error instanceof LedgerError) return error
  const cause = { cause: error }
  if (isConnectionLoss(error)) {
    return new LedgerError('unavailable', lossMessage(error, phase), cause)
  }
  const code = serverCode(error) ?? ''
  const said = `Postgres said: ${error.message} (${code}).`
  const conflict = conflicts.get(code)
  if (conflict !== undefined) {
    return new LedgerError('conflict', `${conflict} Nothing was written. ${said}`, cause)
  }
  if (code === '55P03' || code === '57014' || isRetryable(error)) {
    const message = 'Others held what this needs for too long. Nothing was written; try again.'
    return new LedgerError('busy', `${message} ${said}`, cause)
  }
  if (code === '42P01' || code === '42703' || code === '42883' || code.startsWith('XX')) {
    const message = `The ledger's tables are not as they were made. Restore a backup. ${said}`
    return new LedgerError('damaged', message, cause)
  }
  if (code.startsWith('53') || code.startsWith('28') || unusable.has(code)) {
    const message = `Postgres cannot be used as it is. Nothing was written. ${said}`
    return new LedgerError('unavailable', message, cause)
  }
  if (code === '22021' || code === '22P05') {
    return new InputError('text', 'holds a NUL character, which Postgres cannot keep; remove it')
  }
  return error
}

const conflicts: ReadonlyMap<string, string> = new Map([
  ['23505', 'The same key, id or open place stands for something else already.'],
  ['23503', 'It belongs to a row that is not in the ledger.'],
  ['23514', 'It holds a value that the ledger does not know.'],
  ['SW001', 'The law of actions refuses it.'],
])

const unusable = new Set([
  '25006', // the server only reads: a standby
  '3D000', // there is no such database
  '42501', // the user may not
])

function lossMessage(error: Error, phase: Phase): string {
  // An error of several addresses tried has no message of its own.
  const said = error.message === '' && 'code' in error ? String(error.code) : error.message
  return phase === 'commit'
    ? `The connection to Postgres was lost while the change was committed (${said}). Whether it ` +
        'was written is unknown. Repeat the call with the same ids: if it was written, that ' +
        'returns the first result.'
    : `Postgres cannot be reached (${said}). Nothing was written. Check that the server runs and ` +
        'that the connection string is right, and try again.'
}
