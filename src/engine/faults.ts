/** Owns what a fault means beyond the one action: an account that must rest, or be parked. */

import type { Fault } from '../core/fault.ts'
import type { AccountRow } from '../ledger/rows.ts'
import { DeadlineError } from './deadline.ts'
import type { Parts } from './parts.ts'

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

/** A read that failed changes nothing by itself; it is simply done again when it is next due. */
export async function noteReadFault(
  parts: Parts,
  account: AccountRow,
  error: unknown,
): Promise<void> {
  await react(parts, account, await classify(parts, account, error, 'read'))
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
  const target = account.id
  await parts.ledger.pause({ scope: 'account', target, reason, until, by: 'breaker' })
}
