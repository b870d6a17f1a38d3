/** Owns what X says beyond the status of an answer. */

import { secondMs } from '../../core/duration.ts'
import type { Fault } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import type { Refine } from '../oauth/api-error.ts'
import { problemSchema } from './wire.ts'

interface Row {
  readonly status: number
  readonly says: RegExp
  readonly means: Partial<Fault>
}

/** By the words of the body; the first row that fits counts. */
const rows: readonly Row[] = [
  {
    // The same text is there already. Who sent it is found out by reading.
    status: 403,
    says: /duplicate content/i,
    means: { code: 'conflict', scope: 'post', detail: 'X has this text already' },
  },
  {
    status: 403,
    says: /deleted or not visible/i,
    means: { code: 'not_found', scope: 'post' },
  },
  {
    status: 403,
    says: /not permitted to (perform|create)|not allowed to reply|restricted who can reply/i,
    means: { code: 'forbidden', scope: 'post' },
  },
  {
    status: 403,
    says: /client-forbidden|unsupported-authentication|client-not-enrolled|oauth2-permissions/i,
    means: { code: 'forbidden', scope: 'account' },
  },
  {
    status: 403,
    says: /suspended|locked|automated|spam/i,
    means: { code: 'spam', scope: 'account' },
  },
  {
    status: 402,
    says: /credit/i,
    means: { code: 'forbidden', scope: 'account', detail: 'the app has no credits left on X' },
  },
  {
    // The month's allowance; the time in the headers is another limit's.
    status: 429,
    says: /usage-?cap/i,
    means: { retryAt: null, detail: 'the app has used up its allowance on X' },
  },
]

export const refine: Refine = (response, fault) => {
  const words = wordsOf(response)
  const row = rows.find(({ status, says }) => status === response.status && says.test(words))
  if (row !== undefined) return row.means
  if (fault.code !== 'rate_limit') return null
  const resetAt = lastReset(response)
  return resetAt === null ? null : { retryAt: Math.max(resetAt, fault.retryAt ?? resetAt) }
}

/** Read for what they mean and never repeated: they may quote what was sent. */
function wordsOf(response: GuardedResponse): string {
  try {
    const { title = '', detail = '', type = '' } = response.parse(problemSchema)
    return `${title} ${detail} ${type}`
  } catch {
    return ''
  }
}

/** Beside the usual limit there are those of a day, for the account and for the app. */
const dayLimits = ['x-user-limit-24hour', 'x-app-limit-24hour']

function lastReset(response: GuardedResponse): Instant | null {
  const resets = dayLimits
    .filter((name) => response.header(`${name}-remaining`)?.trim() === '0')
    .map((name) => Number(response.header(`${name}-reset`)) * secondMs)
    .filter((at) => Number.isFinite(at) && at > 0)
  return resets.length === 0 ? null : Math.max(...resets)
}
