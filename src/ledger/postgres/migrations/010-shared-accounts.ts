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
    noteVerdicts(s),
  ],
}

function approvals(s: string, mode: string): string {
  return `, case when ${mode} = 'approve' then (
          select json_agg(row_to_json(t) order by t.number)
          from ${s}.approvals t where t.action_id = p_action) end`
}

/** As before, but it looks for the latest only where a verdict says other than the post does. */
function noteVerdicts(s: string): string {
  return `create or replace function ${s}.note_verdicts() returns trigger language plpgsql as $$
    begin
      update ${s}.posts p set latest_kind = l.kind, latest_stalled = l.stalled
        from (select distinct c.post_id from changed c join ${s}.posts q on q.id = c.post_id
            where q.latest_kind is distinct from c.kind
              or q.latest_stalled is distinct from c.stalled) n
          cross join lateral (
            select kind, stalled from ${s}.verdicts v
            where v.post_id = n.post_id order by v.at desc, v.number limit 1) l
        where p.id = n.post_id and (p.latest_kind is distinct from l.kind
          or p.latest_stalled is distinct from l.stalled);
      return null;
    end $$`
}
