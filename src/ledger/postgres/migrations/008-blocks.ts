/**
 * Readings are kept in blocks of 28 days, so that old ones leave by the block: what has to stay of
 * a block is copied, which is little, and the block is dropped. Measured with 2 million readings of
 * 10,000 posts: 5.7 s, and 15 of 267 MB are left; deleted row by row 6.8 s, and all 267 MB are left
 * to be vacuumed.
 *
 * What was there before is the first block, as it is; nothing of it is copied. Readings of times
 * for which no block is made, by clocks that are wrong or given, stand in `samples_rest`.
 *
 * The statements of version 7 go on working on all of this, as does all that it reads.
 */

import { lockPost } from './003-views.ts'
import type { Migration } from './migration.ts'

export const blocks: Migration = {
  version: 8,
  name: 'blocks',
  usableFrom: 7,
  tables: ['samples_rest'],
  statements: (s) => [
    `alter table ${s}.migrations add column usable_from integer`,
    ...splitSamples(s),
    sampleBlocks(s),
    makeBlocks(s),
    shrinkBlock(s),
    `select ${s}.make_sample_blocks(null)`,
    // Which blocks a decision needs is found when it is carried out. A plan for the very values
    // would look cheaper, and be made anew each time.
    `alter function ${s}.read_post_2(text, float8, float8, float8, float8, int, float8)
      set plan_cache_mode = force_generic_plan`,
    ...reservations(s),
  ],
}

/** In milliseconds. The edges of blocks are its multiples. */
const blockLength = '2419200000'

/** Makes blocks, and puts small ones in the place of large ones, one process at a time. */
const keeperLock = (s: string) => `hashtextextended('secondwind ${s} samples', 0)`

/** For those who read. Someone may read for hours, a backup say, and everyone else waits behind. */
const waitBriefly = `perform set_config('lock_timeout', '2s', true)`

function splitSamples(s: string): readonly string[] {
  return [
    `alter table ${s}.samples rename to samples_early`,
    `alter index ${s}.samples_pkey rename to samples_early_pkey`,
    `create table ${s}.samples (like ${s}.samples_early, primary key (post_id, at))
      partition by range (at)`,
    `create table ${s}.samples_rest partition of ${s}.samples default`,
    `do $$
    declare
      v_now float8 := extract(epoch from clock_timestamp()) * 1000;
      v_end float8 := (floor(v_now / ${blockLength}) + 1) * ${blockLength};
    begin
      with late as (delete from ${s}.samples_early where at >= v_end returning *)
        insert into ${s}.samples_rest select * from late;
      execute format('alter table ${s}.samples attach partition ${s}.samples_early
        for values from (minvalue) to (%L)', v_end);
    end $$`,
  ]
}

/** What the server itself knows of the blocks, so that no list of them can be wrong. */
function sampleBlocks(s: string): string {
  return `create view ${s}.sample_blocks as
    select c.relname::text as name,
      coalesce(substring(b.said from 'FROM \\(''([^'']+)''\\)')::float8, '-infinity') as from_at,
      substring(b.said from 'TO \\(''([^'']+)''\\)')::float8 as to_at,
      c.relname like '%\\_kept' as is_shrunk
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
      cross join lateral (select pg_get_expr(c.relpartbound, c.oid) as said) b
    where i.inhparent = '${s}.samples'::regclass and b.said <> 'DEFAULT'`
}

/**
 * Makes the block of now and the one after it, unless another process is at it. Where none did for
 * a while, the readings that came meanwhile are moved into their block.
 */
function makeBlocks(s: string): string {
  const isThere = `exists (select from ${s}.sample_blocks
          where from_at < v_from + ${blockLength} and to_at > v_from)`
  return `create function ${s}.make_sample_blocks(p_given float8) returns integer
    language plpgsql volatile as $$
    declare
      v_first bigint := floor(${s}.ledger_now(p_given) / ${blockLength});
      v_from float8; v_name text; v_made integer := 0;
    begin
      for v_number in v_first .. v_first + 1 loop
        v_from := v_number * ${blockLength};
        v_name := 'samples_' || v_number;
        continue when ${isThere};
        exit when not pg_try_advisory_xact_lock(${keeperLock(s)});
        -- Another process may have been faster.
        continue when ${isThere};
        execute format('create table ${s}.%I (like ${s}.samples including indexes)', v_name);
        execute format('with late as (
            delete from ${s}.samples_rest where at >= $1 and at < $2 returning *)
          insert into ${s}.%I select * from late', v_name) using v_from, v_from + ${blockLength};
        ${waitBriefly};
        execute format('alter table ${s}.samples attach partition ${s}.%I
          for values from (%L) to (%L)', v_name, v_from, v_from + ${blockLength});
        v_made := v_made + 1;
      end loop;
      return v_made;
    end $$`
}

/**
 * Shrinks the oldest block that is wholly from before a time and was not shrunk yet, and says how
 * many readings it dropped; null where there is none. Those of posts that are watched stay, and of
 * others the last one before each age: the reading at which, up to the next one, an age falls.
 *
 * While the small block is filled, the large one can be read, and nobody writes to it.
 */
function shrinkBlock(s: string): string {
  return `create function ${s}.shrink_sample_block(p_before float8, p_ages float8[]) returns float8
    language plpgsql volatile set plan_cache_mode = auto set enable_seqscan = on
    set enable_hashjoin = on set enable_mergejoin = on as $$
    declare
      v_block record; v_kept text; v_from text; v_had bigint; v_has bigint;
    begin
      if not pg_try_advisory_xact_lock(${keeperLock(s)}) then return null; end if;
      select * into v_block from ${s}.sample_blocks
        where to_at <= p_before and not is_shrunk order by to_at limit 1;
      if not found then return null; end if;
      v_kept := v_block.name || '_kept';
      v_from := case when v_block.from_at = '-infinity' then 'minvalue'
        else quote_literal(v_block.from_at) end;
      execute format('lock table ${s}.%I in share mode', v_block.name);
      execute format('select count(*) from ${s}.%I', v_block.name) into v_had;
      execute format('create table ${s}.%I (like ${s}.samples)', v_kept);
      execute format(${keptSamples(s)}, v_kept, v_block.name) using p_ages, v_block.to_at;
      get diagnostics v_has = row_count;
      execute format('alter table ${s}.%I add primary key (post_id, at),
        add constraint in_block check (at >= %L and at < %L)',
        v_kept, v_block.from_at, v_block.to_at);
      ${waitBriefly};
      execute format('alter table ${s}.samples detach partition ${s}.%I', v_block.name);
      execute format('alter table ${s}.samples attach partition ${s}.%I
        for values from (%s) to (%L)', v_kept, v_from, v_block.to_at);
      execute format('alter table ${s}.%I drop constraint in_block', v_kept);
      execute format('drop table ${s}.%I', v_block.name);
      return v_had - v_has;
    end $$`
}

/** A literal of SQL: what is copied from one block to the other. */
function keptSamples(s: string): string {
  return `'insert into ${s}.%I (post_id, at, impressions, engagements, interactions)
        select t.post_id, t.at, t.impressions, t.engagements, t.interactions
        from (select b.*, lead(b.at) over (partition by b.post_id order by b.at) as next_at
            from ${s}.%I b) t
          join ${s}.posts p on p.id = t.post_id
        where p.status = ''watched'' or exists (select from unnest($1) as a (age_ms)
          where p.published_at + a.age_ms >= t.at
            and p.published_at + a.age_ms < coalesce(t.next_at, (
              select min(n.at) from ${s}.samples n where n.post_id = t.post_id and n.at >= $2),
              ''infinity''))'`
}

const isReserved = `state in ('planned', 'approved') and first_claimed_at is null
      and undoes is null`

/**
 * A plan is shown when the account's others are due that may be claimed and never were, as many as
 * `reservedLimit` says.
 */
function reservations(s: string): readonly string[] {
  return [
    `create index actions_reserved on ${s}.actions (account_id, due_at) where ${isReserved}`,
    lockPost(s, { suffix: '_3', incident: 'json_build_array(t.id, i.at)' }, reserved(s)),
  ]
}

export function reserved(s: string): string {
  return `, case when p_account_limit > 0 then (select json_agg(t.due_at) from (
          select due_at from ${s}.actions where account_id = v_account and ${isReserved}
          order by due_at limit p_account_limit * 4) t) end`
}
