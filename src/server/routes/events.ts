/** What happened: the feed that programs follow, live or page by page, and the audit log. */

import type { EventType } from '../../core/events.ts'
import { toActionId, toPostId } from '../../core/ids.ts'
import type { AuditReport } from '../../ledger/ledger.ts'
import { accountFilter, requireUnlimited } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { backPage } from '../paging.ts'
import { auditPage, auditQuery, auditReport, eventFeed, eventQuery } from '../schema/event.ts'
import type { AuditReportView } from '../schema/event.ts'
import { streamEvents } from '../stream.ts'
import { toEventView } from '../views/event.ts'
import { answer, createRoutes, define } from './route.ts'

const tags = ['events']

const feed = define('read', {
  method: 'get',
  path: '/events',
  tags,
  summary: 'Events, oldest first; as a stream with `Accept: text/event-stream`',
  request: { query: eventQuery },
  responses: {
    200: {
      description: 'A page, and the cursor to go on from; or the stream',
      content: {
        'application/json': { schema: eventFeed },
        'text/event-stream': { schema: { type: 'string' } },
      },
    },
  },
})

const audit = define('read', {
  method: 'get',
  path: '/audit',
  tags: ['audit'],
  summary: 'Events, newest first, with a sentence each',
  request: { query: auditQuery },
  responses: answer(auditPage, 'A page of events'),
})

const verify = define('read', {
  method: 'post',
  path: '/audit/verify',
  tags: ['audit'],
  summary: 'Check the chain of hashes',
  responses: answer(auditReport, 'What was found'),
})

export function eventRoutes(services: Services) {
  const { ledger, tail } = services
  let checking: Promise<AuditReport> | null = null
  return createRoutes()
    .openapi(feed, async (context) => {
      const { cursor, limit, type, accountId } = context.req.valid('query')
      const filter = {
        ...accountFilter(actorOf(context), accountId),
        ...(type === undefined ? {} : { types: type as EventType[] }),
      }
      const after = cursor === undefined ? null : await tail.parse(cursor, 'cursor')
      if (wantsStream(context)) return openStream(services, context, filter, after)
      const page = await ledger.readEvents(after, filter, limit)
      const items = page.events.map(toEventView)
      return context.json({ items, cursor: page.cursor }, 200)
    })
    .openapi(audit, async (context) => {
      const { type, accountId, postId, actionId, ...page } = context.req.valid('query')
      const filter = {
        ...accountFilter(actorOf(context), accountId),
        ...(type === undefined ? {} : { types: type as EventType[] }),
        ...(postId === undefined ? {} : { postId: toPostId(postId) }),
        ...(actionId === undefined ? {} : { actionId: toActionId(actionId) }),
      }
      const found = await ledger.pageEvents(filter, backPage(page))
      return context.json({ items: found.items.map(toEventView), next: found.next }, 200)
    })
    .openapi(verify, async (context) => {
      requireUnlimited(actorOf(context))
      // It reads everything, so those who ask at the same time share one run.
      checking ??= ledger.verifyAudit().finally(() => (checking = null))
      return context.json(toReportView(await checking), 200)
    })
}

function wantsStream(context: AppContext): boolean {
  return /\btext\/event-stream\b/i.test(context.req.header('accept') ?? '')
}

async function openStream(
  services: Services,
  context: AppContext,
  filter: Parameters<typeof streamEvents>[2]['filter'],
  cursor: string | null,
): Promise<Response> {
  const { tail, metrics } = services
  const header = context.req.header('last-event-id')
  // The browser's own word comes first: it goes on from what it has seen, not from the address.
  const after = header === undefined ? cursor : await tail.resume(header)
  const { signal } = context.req.raw
  const body = streamEvents(tail, services, { filter, after, signal })
  metrics.streamOpened()
  const counted = body.pipeThrough(
    new TransformStream({
      flush: () => metrics.streamClosed(),
      cancel: () => metrics.streamClosed(),
    }),
  )
  return context.body(counted, 200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    // Some proxies hold back what they could send on.
    'x-accel-buffering': 'no',
  })
}

function toReportView({ entries, head, unsealed, problems }: AuditReport): AuditReportView {
  return {
    entries,
    head,
    unsealed,
    problems: problems.map((problem) => ({
      kind: problem.kind,
      number: problem.number,
      seq: problem.kind === 'missing_entry' ? null : problem.seq,
    })),
  }
}
