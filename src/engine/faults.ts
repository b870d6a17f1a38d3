/** Owns what a fault means beyond the one action: an account that must rest, or be parked. */

import type { Fault, FaultCode } from '../core/fault.ts'
import type { AccountRow } from '../ledger/rows.ts'
import { DeadlineError, withDeadline } from './deadline.ts'
import type { Parts } from './parts.ts'

/** A fault that we found ourselves, before anything was sent. */
export function faultOf(code: FaultCode, detail: string): Fault {
  return { landed: 'no', code, scope: 'request', retryAt: null, detail }
}

/** Anything that a call threw, as a fault. Giving up on a write leaves its effect unknown. */
export async function classify(
  parts: Parts,
  account: AccountRow,
  error: unknown,
  call: 'read' | 'write',
): Promise<Fault> {
  if (error instanceof DeadlineError) {
    const landed = call === 'write' ? 'unknown' : 'no'
    return { landed, code: 'timeout', scope: 'request', retryAt: null, detail: error.message }
  }
  return parts.platformOf(account).classify(error, call, await parts.ledger.now())
}

/**
 * Reads from the platform. Null where that failed: nothing has changed by it, and it is simply done
 * again when it is next due. A failure of the ledger is another matter and is not caught here.
 */
export async function tryRead<Result>(
  parts: Parts,
  account: AccountRow,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result | null> {
  const { clock, settings } = parts
  try {
    return await withDeadline(clock, settings.readDeadlineMs, call)
  } catch (error) {
    await react(parts, account, await classify(parts, account, error, 'read'))
    return null
  }
}

/**
 * Dead credentials park the account: asking again with them helps nobody. A network that says we
 * are too fast, or takes us for spam, makes the whole account rest, for all workers at once.
 */
export async function react(parts: Parts, account: AccountRow, fault: Fault): Promise<void> {
  switch (fault.code) {
    case 'credentials':
      return parts.ledger.parkAccount(account.id, fault.code, fault.detail)
    case 'spam':
      return rest(parts, account, 'the network took it for spam', null)
    case 'rate_limit': {
      const until = fault.retryAt ?? (await parts.ledger.now()) + parts.settings.rateRestMs
      return rest(parts, account, 'the network said that it is too fast', until)
    }
    default:
  }
}

async function rest(
  parts: Parts,
  account: AccountRow,
  reason: string,
  until: number | null,
): Promise<void> {
  const scope = 'account'
  await parts.ledger.rest({ scope, target: account.id, reason, until, by: 'breaker' })
}
