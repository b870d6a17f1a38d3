/** Erases an account in the memory store: what was personal goes, keys and hashes stay. */

import type { Fault } from '../../core/fault.ts'
import type { AccountId, ActionId } from '../../core/ids.ts'
import type { Instant } from '../../core/instant.ts'
import { isPauseOf } from './pauses.ts'
import type { MemoryTables } from './tables.ts'

/** False where there is no such account. */
export function eraseRows(tables: MemoryTables, id: AccountId, at: Instant): boolean {
  const account = tables.accounts.get(id)
  if (account === undefined) return false
  const nothing = { credentials: null, handle: '', statusReason: null, profile: null } as const
  tables.putAccount({ ...account, ...nothing, status: 'erased' })
  for (const post of tables.posts.values()) {
    if (post.accountId !== id) continue
    tables.putPost({
      ...post,
      text: null,
      url: null,
      status: post.status === 'watched' ? 'closed' : post.status,
      nextCheckAt: null,
      closedAt: post.closedAt ?? at,
    })
  }
  for (const actionId of tables.actionsByAccount.get(id)) eraseAction(tables, actionId)
  tables.pauses = tables.pauses.map((pause) =>
    isPauseOf(pause, { scope: 'account', target: id }) ? { ...pause, reason: '' } : pause,
  )
  return true
}

function eraseAction(tables: MemoryTables, id: ActionId): void {
  const action = tables.action(id)
  const fault = withoutWords(action.fault)
  tables.putAction({ ...action, text: null, outcome: null, fault })
  tables.attempts.map(id, (row) => ({ ...row, prepared: null, fault: withoutWords(row.fault) }))
  tables.approvals.map(id, (row) => ({ ...row, reason: null }))
}

/** What a network said about a failure may quote the text. */
function withoutWords(fault: Fault | null): Fault | null {
  return fault === null ? null : { ...fault, detail: '' }
}
