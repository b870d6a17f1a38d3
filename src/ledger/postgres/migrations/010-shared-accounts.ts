/**
 * Where a policy counts nothing for the account, its plans and claims no longer wait for each
 * other: they share the account's row, which keeps it as they saw it, and lock only their posts.
 * Workers that acted for one account at once spent most of their time behind that one row.
 *
 * What people decided about an action comes along with it, where the account asks them first. It
 * was read before, by a statement of its own. A post's latest verdict, with its long trace, is left
 * out: only a look asks for it, and reads it itself.
 */

import { lockAction, lockClaim, lockPost } from './003-views.ts'
import { reserved } from './008-blocks.ts'
import type { Migration } from './migration.ts'

const shape = {
  incident: 'json_build_array(t.id, i.at)',
  sharesAccount: true,
  leavesVerdictOut: true,
}

export const sharedAccounts: Migration = {
  version: 10,
  name: 'shared accounts',
  usableFrom: 9,
  statements: (s) => [
    lockPost(s, { ...shape, suffix: '_4' }, reserved(s)),
    lockClaim(s, { ...shape, suffix: '_3' }, approvals(s, `j_account->>'mode'`)),
    lockAction(s, '_2', approvals(s, 'c.mode')),
  ],
}

function approvals(s: string, mode: string): string {
  return `, case when ${mode} = 'approve' then (
          select json_agg(row_to_json(t) order by t.number)
          from ${s}.approvals t where t.action_id = p_action) end`
}
