/**
 * Deciding on many at once. First one asks what matches; the digest of that answer comes back with
 * the decision, so that what nobody has seen is never approved.
 */

import { hash } from 'node:crypto'
import type { z } from 'zod'
import type { ActionRow } from '../../ledger/rows.ts'
import type { Decision } from '../../ledger/steps/approval.ts'
import { accountFilter } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { conflict } from '../problem.ts'
import { bulkBody, bulkResult } from '../schema/action.ts'
import type { BulkResult } from '../schema/action.ts'
import { answer, createRoutes, define, jsonBody } from './route.ts'

const bulk = define('approve', {
  method: 'post',
  path: '/approvals/bulk',
  tags: ['approvals'],
  summary: 'Decide on all that await approval and match',
  request: { body: jsonBody(bulkBody) },
  responses: answer(bulkResult, 'What matches or, with its digest, what came of it'),
})

const mostAtOnce = 500
const pageSize = 200

export function approvalRoutes(services: Services) {
  return createRoutes().openapi(bulk, async (context) => {
    const body = context.req.valid('json')
    const { rows, more } = await readMatching(services, context, body)
    const digest = digestOf(rows, body.decision.kind)
    if (body.digest === undefined) {
      const matched = rows.map(({ id, textHash }) => ({ id, textHash }))
      return context.json({ kind: 'preview' as const, digest, matched, more }, 200)
    }
    if (body.digest !== digest) {
      throw conflict('Other actions or texts match by now; ask again without a digest and look')
    }
    return context.json(await decideAll(services, context, body, rows), 200)
  })
}

type Bulk = z.output<typeof bulkBody>

async function readMatching(
  { ledger }: Services,
  context: AppContext,
  { filter }: Bulk,
): Promise<{ readonly rows: readonly ActionRow[]; readonly more: boolean }> {
  const { accountId, platform, action, tier, ids } = filter
  const query = {
    ...accountFilter(actorOf(context), accountId),
    states: ['awaiting_approval'] as const,
    ...(platform === undefined ? {} : { platform }),
    ...(action === undefined ? {} : { action }),
  }
  const rows: ActionRow[] = []
  let before: string | null = null
  do {
    const page: Awaited<ReturnType<typeof ledger.pageActions>> = await ledger.pageActions(query, {
      before,
      limit: pageSize,
    })
    for (const row of page.items) {
      const fits = (tier === undefined || row.tier === tier) && (ids?.includes(row.id) ?? true)
      if (fits) rows.push(row)
    }
    before = page.next
  } while (before !== null && rows.length <= mostAtOnce)
  return { rows: rows.slice(0, mostAtOnce), more: rows.length > mostAtOnce }
}

function digestOf(rows: readonly ActionRow[], decision: string): string {
  const lines = rows.map(({ id, textHash }) => `${id} ${textHash}`).toSorted()
  return hash('sha256', JSON.stringify([decision, lines]), 'hex')
}

async function decideAll(
  { ledger, settings }: Services,
  context: AppContext,
  { decision: wish }: Bulk,
  rows: readonly ActionRow[],
): Promise<BulkResult> {
  const { name } = actorOf(context)
  const results: (BulkResult & { kind: 'done' })['results'] = []
  for (const { id, textHash } of rows) {
    const decision: Decision =
      wish.kind === 'reject'
        ? wish
        : {
            kind: 'approve',
            textHash,
            graceMs: settings.approvalGraceMs,
            expiresAfterMs: settings.approvalLastsMs,
          }
    const result = await ledger.decide({ actionId: id, by: name, decision })
    const state = result.kind === 'wrong_state' ? result.state : result.action.state
    results.push({ id, result: result.kind, state })
  }
  return { kind: 'done', results }
}
