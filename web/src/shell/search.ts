/**
 * Owns what may stand in the address of each screen. Every filter is there, so that a view can be
 * shared and the way back leads back. What is not understood is left out, never an error.
 */

import * as z from 'zod/mini'
import { catch as otherwise } from 'zod/mini'

const text = z.optional(otherwise(z.optional(z.string()), undefined))

function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.optional(otherwise(z.optional(z.enum(values)), undefined))
}

export const inboxShows = ['awaiting', 'attention', 'under_way', 'ended'] as const

export const inboxSearch = z.object({
  show: oneOf(inboxShows),
  accountId: text,
  action: oneOf(['comment', 'edit', 'thread']),
  /** The action that is open beside the list. */
  id: text,
})

export const postsSearch = z.object({
  status: oneOf(['watched', 'closed', 'gone', 'any']),
  verdict: oneOf(['plan', 'hold', 'healthy', 'insufficient']),
  accountId: text,
  text,
})

export type PostsSearch = z.infer<typeof postsSearch>

export const impactSearch = z.object({ horizon: oneOf(['2h', '24h', '7d']), accountId: text })

export const accountsSearch = z.object({ id: text, connect: text })

export const policySearch = z.object({ id: text, accountId: text, days: text })

export const auditSearch = z.object({ type: text, accountId: text, postId: text, actionId: text })

export type AuditSearch = z.infer<typeof auditSearch>
