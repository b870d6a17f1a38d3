/**
 * When posts are looked at next stands in a table of its own. A look changes it every time, and in
 * `posts` that wrote an entry into each of its ten indexes; there, now, no index holds it, and a
 * look leaves all of them alone. What hands posts out to workers moves it on here, and not in the
 * post, which goes on saying when it is due.
 */

import type { Migration } from './migration.ts'

export const checks: Migration = {
  version: 9,
  name: 'checks',
  tables: ['checks'],
  statements: (s) => [
    `create table ${s}.checks (id text collate "C" primary key, at double precision not null)`,
    `insert into ${s}.checks select id, next_check_at from ${s}.posts
      where next_check_at is not null`,
    `create index checks_by_time on ${s}.checks (at, id)`,
    `drop index ${s}.posts_to_check`,
    // Room on each page, so that a post that is looked at stays on its own.
    `alter table ${s}.posts set (fillfactor = 80)`,
    noteChecks(s),
    ...onEach(s, 'posts', 'checks_are_noted', 'note_checks'),
    // The statement that inserts has found and locked the posts itself.
    `alter table ${s}.verdicts drop constraint verdicts_post_id_fkey`,
    `drop trigger verdicts_are_noted on ${s}.verdicts`,
    `drop function ${s}.note_verdict()`,
    noteVerdicts(s),
    ...onEach(s, 'verdicts', 'verdicts_are_noted', 'note_verdicts'),
  ],
}

/** A trigger that is shown all rows of a statement is for one kind of statement alone. */
function onEach(s: string, table: string, name: string, run: string): readonly string[] {
  return ['insert', 'update'].map(
    (kind) => `create trigger ${name}_on_${kind} after ${kind} on ${s}.${table}
      referencing new table as changed for each statement execute function ${s}.${run}()`,
  )
}

function noteChecks(s: string): string {
  return `create function ${s}.note_checks() returns trigger language plpgsql as $$
    begin
      insert into ${s}.checks (id, at)
        select id, next_check_at from changed where next_check_at is not null
        on conflict (id) do update set at = excluded.at where checks.at <> excluded.at;
      delete from ${s}.checks c using changed n where c.id = n.id and n.next_check_at is null;
      return null;
    end $$`
}

/** Whoever writes a verdict has locked its post already. */
function noteVerdicts(s: string): string {
  return `create function ${s}.note_verdicts() returns trigger language plpgsql as $$
    begin
      update ${s}.posts p set latest_kind = l.kind, latest_stalled = l.stalled
        from (select distinct post_id from changed) c cross join lateral (
          select kind, stalled from ${s}.verdicts v
          where v.post_id = c.post_id order by v.at desc, v.number limit 1) l
        where p.id = c.post_id and (p.latest_kind is distinct from l.kind
          or p.latest_stalled is distinct from l.stalled);
      return null;
    end $$`
}
