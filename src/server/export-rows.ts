/** Owns walking through the whole ledger, page by page, as flat rows. */

import type { AccountId } from '../core/ids.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { ActionRow, PostRow } from '../ledger/rows.ts'
import type { AccountScope } from '../ledger/store.ts'
import type { exportKinds } from './schema/event.ts'
import { toEventView } from './views/event.ts'
import { toPostView } from './views/post.ts'
import { iso, isoOrNull } from './views/time.ts'

export type ExportKind = (typeof exportKinds)[number]
export type ExportRow = Readonly<Record<string, unknown>>

const pageSize = 500

export function exportRows(
  ledger: Ledger,
  kind: ExportKind,
  scope: AccountScope,
): AsyncIterable<ExportRow> {
  switch (kind) {
    case 'posts':
      return map(posts(ledger, scope), toPostView)
    case 'samples':
      return samples(ledger, scope)
    case 'actions':
      return map(actions(ledger, scope), toActionRow)
    case 'events':
      return events(ledger, scope)
  }
}

/** One account after another where only some are asked for; undefined stands for all at once. */
function accountsOf({ accountId, accountIds }: AccountScope): readonly (AccountId | undefined)[] {
  if (accountId !== undefined) return [accountId]
  return accountIds ?? [undefined]
}

async function* posts(ledger: Ledger, scope: AccountScope): AsyncGenerator<PostRow> {
  for (const accountId of accountsOf(scope)) {
    const filter = accountId === undefined ? {} : { accountId }
    let after: string | null = null
    for (;;) {
      const rows: readonly PostRow[] = await ledger.listPosts(filter, { after, limit: pageSize })
      yield* rows
      if (rows.length < pageSize) break
      after = rows.at(-1)?.id ?? null
    }
  }
}

async function* actions(ledger: Ledger, scope: AccountScope): AsyncGenerator<ActionRow> {
  for (const accountId of accountsOf(scope)) {
    const filter = accountId === undefined ? {} : { accountId }
    let after: string | null = null
    for (;;) {
      const rows: readonly ActionRow[] = await ledger.listActions(filter, {
        after,
        limit: pageSize,
      })
      yield* rows
      if (rows.length < pageSize) break
      after = rows.at(-1)?.id ?? null
    }
  }
}

async function* samples(ledger: Ledger, scope: AccountScope): AsyncGenerator<ExportRow> {
  for await (const post of posts(ledger, scope)) {
    for (const { at, impressions, engagements, interactions } of await ledger.listSamples(
      post.id,
    )) {
      yield {
        postId: post.id,
        at: iso(at),
        impressions,
        engagements,
        interactions: interactions ?? null,
      }
    }
  }
}

async function* events(ledger: Ledger, scope: AccountScope): AsyncGenerator<ExportRow> {
  let cursor: string | null = null
  for (;;) {
    const page: Awaited<ReturnType<Ledger['readEvents']>> = await ledger.readEvents(
      cursor,
      scope,
      pageSize,
    )
    for (const event of page.events) yield toEventView(event)
    if (page.events.length < pageSize) return
    cursor = page.cursor
  }
}

function toActionRow(row: ActionRow): ExportRow {
  return {
    id: row.id,
    key: row.key,
    postId: row.postId,
    accountId: row.accountId,
    platform: row.platform,
    action: row.action,
    tier: row.tier,
    generation: row.generation,
    state: row.state,
    policy: row.policy,
    score: row.score,
    text: row.text,
    plannedAt: iso(row.plannedAt),
    firstClaimedAt: isoOrNull(row.firstClaimedAt),
    endedAt: isoOrNull(row.endedAt),
    attempts: row.attempts,
    faultCode: row.fault?.code ?? null,
    undoes: row.undoes,
    outcome: row.outcome,
  }
}

async function* map<From, To>(
  rows: AsyncIterable<From>,
  turn: (row: From) => To,
): AsyncGenerator<To> {
  for await (const row of rows) yield turn(row)
}
