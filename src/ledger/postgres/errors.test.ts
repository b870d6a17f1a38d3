/** Every failure of Postgres has a kind that says what to do about it. */

import { describe, expect, test } from 'vitest'
import { LedgerError } from '../ledger-error.ts'
import { isConnectionLoss, isRetryable, toLedgerError } from './errors.ts'

/** An error as the server sends it. */
function fromServer(code: string): Error {
  return Object.assign(new Error('what the server said'), { severity: 'ERROR', code })
}

describe('a failure of Postgres', () => {
  test.each([
    ['23505', 'conflict'],
    ['23503', 'conflict'],
    ['SW001', 'conflict'],
    ['55P03', 'busy'],
    ['57014', 'busy'],
    ['40P01', 'busy'],
    ['40001', 'busy'],
    ['42P01', 'damaged'],
    ['XX001', 'damaged'],
    ['53100', 'unavailable'],
    ['53300', 'unavailable'],
    ['28P01', 'unavailable'],
    ['3D000', 'unavailable'],
    ['25006', 'unavailable'],
    ['57P01', 'unavailable'],
    ['08006', 'unavailable'],
  ])('%s is %s, and the server’s own words are kept', (code, kind) => {
    const cause = fromServer(code)
    const error = toLedgerError(cause, 'before_commit')
    expect(error).toBeInstanceOf(LedgerError)
    expect(error).toMatchObject({ kind, cause })
    expect((error as Error).message).toContain('what the server said')
  })

  test('of a kind that nobody foresaw stays what it is', () => {
    const error = fromServer('22012')
    expect(toLedgerError(error, 'commit')).toBe(error)
  })

  test('that is a ledger error already stays what it is', () => {
    const error = new LedgerError('newer', 'x')
    expect(toLedgerError(error, 'commit')).toBe(error)
    expect(isConnectionLoss(error)).toBe(false)
  })

  test('says after a lost commit that nobody knows, and before it that nothing was written', () => {
    const lost = new Error('Connection terminated unexpectedly')
    expect(toLedgerError(lost, 'commit')).toMatchObject({
      kind: 'unavailable',
      message: expect.stringMatching(/unknown.*Repeat the call with the same ids/) as unknown,
    })
    expect(toLedgerError(lost, 'before_commit')).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('Nothing was written') as unknown,
    })
  })

  test('of the socket is a loss of the connection, one of a statement is not', () => {
    expect(isConnectionLoss(Object.assign(new Error('x'), { code: 'ECONNRESET' }))).toBe(true)
    expect(isConnectionLoss(Object.assign(new Error('x'), { code: 'EPIPE' }))).toBe(true)
    expect(isConnectionLoss(fromServer('57P01'))).toBe(true)
    expect(isConnectionLoss(fromServer('23505'))).toBe(false)
  })

  test('is worth another try only where an order could not be kept', () => {
    expect(
      ['40P01', '40001', '23505', '57P01'].map((code) => isRetryable(fromServer(code))),
    ).toEqual([true, true, false, false])
  })
})
