/**
 * Evidence that came late is shown with when it came, and erasing an account takes what a network
 * said about a failure along: it may quote the text.
 */

import { postViews } from './003-views.ts'
import type { Migration } from './migration.ts'

export const evidence: Migration = {
  version: 7,
  name: 'evidence',
  statements: (s) => [
    ...postViews(s, { suffix: '_2', incident: 'json_build_array(t.id, i.at)' }),
    erasedFault(s),
    isErasure(s),
  ],
}

/** A fault without its words. */
function erasedFault(s: string): string {
  return `create function ${s}.erased_fault(fault json) returns json language sql immutable as $$
    select case when fault is not null then json_build_object('landed', fault->'landed',
      'code', fault->'code', 'scope', fault->'scope', 'retryAt', fault->'retryAt', 'detail', '')
    end $$`
}

/** As before, but the words of a fault may go too. */
function isErasure(s: string): string {
  return `create or replace function ${s}.is_erasure(before ${s}.actions, after ${s}.actions)
    returns boolean language plpgsql as $$
    begin
      if after.text is not null or after.outcome is not null then return false; end if;
      before.text := null;
      before.outcome := null;
      if before.fault::text is distinct from after.fault::text then
        before.fault := ${s}.erased_fault(before.fault);
      end if;
      return before::text = after::text and exists (
        select from ${s}.accounts where id = before.account_id and status = 'erased');
    end $$`
}
