/** Owns what servers of the Mastodon family say beyond the status of an answer. */

import { z } from 'zod'
import type { Fault } from '../../core/fault.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import type { Refine } from '../oauth/api-error.ts'

const errorSchema = z.object({ error: z.string() })

interface Row {
  readonly status: number
  readonly says: RegExp
  readonly means: Pick<Fault, 'code' | 'scope'>
}

/** By the words of the body; the first row that fits counts. */
const rows: readonly Row[] = [
  {
    status: 403,
    says: /outside the authorized scopes|insufficient[ _]scope/i,
    means: { code: 'credentials', scope: 'account' },
  },
  {
    status: 403,
    says: /login is (currently )?disabled|pending approval|confirm|suspended|moved/i,
    means: { code: 'forbidden', scope: 'account' },
  },
  {
    status: 422,
    says: /does not appear to exist|record not found/i,
    means: { code: 'not_found', scope: 'post' },
  },
]

export const refine: Refine = (response) => {
  const words = wordsOf(response)
  if (words === null) return null
  const row = rows.find(({ status, says }) => status === response.status && says.test(words))
  return row?.means ?? null
}

/** Read for what they mean and never repeated: they may quote what was sent. */
function wordsOf(response: GuardedResponse): string | null {
  try {
    return response.parse(errorSchema).error
  } catch {
    return null
  }
}
