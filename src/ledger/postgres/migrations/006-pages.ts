/**
 * What lists for people are read by. A post carries what its latest verdict is, kept by a trigger,
 * as no index over verdicts could tell which is the latest of its post.
 */

import type { Migration } from './migration.ts'

export const pages: Migration = {
  version: 6,
  name: 'pages',
  statements: (s) => [
    `alter table ${s}.posts add column latest_kind text, add column latest_stalled boolean`,
    `update ${s}.posts p set (latest_kind, latest_stalled) = (
      select kind, stalled from ${s}.verdicts t where t.post_id = p.id
      order by t.at desc, t.number limit 1)`,
    noteVerdict(s),
    `create trigger verdicts_are_noted after insert or update on ${s}.verdicts
      for each row execute function ${s}.note_verdict()`,
    `create index posts_by_time on ${s}.posts (published_at, id)`,
    `create index posts_of_account_by_time on ${s}.posts (account_id, published_at, id)`,
    `create index posts_by_verdict on ${s}.posts (latest_kind, published_at, id)
      where latest_kind is not null`,
    `create index posts_by_status on ${s}.posts (status, published_at, id)`,
    `create index posts_to_leave on ${s}.posts (published_at, id) where never_touch`,
    `create index posts_watched on ${s}.posts (account_id) where status = 'watched'`,
    `create index posts_stalled on ${s}.posts (account_id)
      where status = 'watched' and latest_stalled`,
    `create index accounts_parked on ${s}.accounts (id) where status = 'parked'`,
    // Undos stand in it too, which the index that it replaces left out.
    `drop index ${s}.latest_plans`,
    `create index actions_of_account_by_time on ${s}.actions (account_id, planned_at, id)`,
    `create index actions_by_time on ${s}.actions (planned_at, id)`,
    `create index actions_by_end on ${s}.actions (ended_at) where ended_at is not null`,
    `create index events_of_account on ${s}.events (account_id, txn, seq)
      where account_id is not null`,
    `create index events_of_post on ${s}.events (post_id, txn, seq) where post_id is not null`,
  ],
}

/** Whoever writes a verdict has locked its post already. */
function noteVerdict(s: string): string {
  return `create function ${s}.note_verdict() returns trigger language plpgsql as $$
    declare
      v_kind text; v_stalled boolean;
    begin
      select kind, stalled into v_kind, v_stalled from ${s}.verdicts
        where post_id = new.post_id order by at desc, number limit 1;
      update ${s}.posts set latest_kind = v_kind, latest_stalled = v_stalled
        where id = new.post_id
          and (latest_kind is distinct from v_kind or latest_stalled is distinct from v_stalled);
      return null;
    end $$`
}
