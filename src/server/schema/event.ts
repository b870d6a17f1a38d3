/** Owns what happened: the feed that programs follow, and the audit log that people read. */

import { z } from '@hono/zod-openapi'
import { id, instant, json, oneOrMore, pageOf, pageQuery, text } from './fields.ts'

export const eventView = z
  .object({
    /** Its number; numbers have gaps. */
    seq: z.number(),
    type: z.string(),
    at: instant,
    accountId: z.string().nullable(),
    postId: z.string().nullable(),
    actionId: z.string().nullable(),
    /** Ids, states, numbers and hashes; never a text or a secret. */
    data: z.record(z.string(), json),
    sentence: z.string(),
  })
  .openapi('Event')
export type EventView = z.infer<typeof eventView>

/** Oldest first. Ask again with the cursor to go on, also where there are no items now. */
export const eventFeed = z
  .object({ items: z.array(eventView), cursor: z.string() })
  .openapi('EventFeed')
export type EventFeed = z.infer<typeof eventFeed>

export const eventQuery = z.object({
  ...pageQuery,
  type: oneOrMore(text(64)),
  accountId: id.optional(),
})

/** Newest first. */
export const auditPage = pageOf(eventView, 'AuditPage')
export type AuditPage = z.infer<typeof auditPage>

export const auditQuery = z.object({
  ...pageQuery,
  type: oneOrMore(text(64)),
  accountId: id.optional(),
  postId: id.optional(),
  actionId: id.optional(),
})

export const auditReport = z
  .object({
    entries: z.number(),
    /** The hash of the last entry: note it elsewhere to detect a chain cut off at the end. */
    head: z.string(),
    /** Events that are not chained yet. */
    unsealed: z.number(),
    problems: z.array(
      z.object({
        kind: z.enum(['changed', 'missing_event', 'missing_entry']),
        number: z.number(),
        seq: z.number().nullable(),
      }),
    ),
  })
  .openapi('AuditReport')
export type AuditReportView = z.infer<typeof auditReport>

export const exportKinds = ['posts', 'samples', 'actions', 'events'] as const

export const exportQuery = z.object({
  format: z.enum(['csv', 'json']).default('json'),
  accountId: id.optional(),
})
