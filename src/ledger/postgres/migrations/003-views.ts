/**
 * The functions that read what a step is shown, each in one call. Under READ COMMITTED a statement
 * sees what was committed when it started, so one that waits for a lock and reads other rows as
 * well would read their past. Here locks come first; every statement after them, as each in a
 * volatile function, sees what is committed by then. The time is taken after the locks too.
 *
 * Locks are taken in one order: pauses, platform, account, post, action. They are NO KEY UPDATE,
 * because rows that refer to a locked one may still be added. With `p_wait` false, what others hold
 * is not waited for and the answer is "locked".
 *
 * Measured per claim on one connection, server's time: these functions 196 µs; the same as two
 * plain statements, one that locks and one with a subquery for each part, 270 µs.
 *
 * Rows come as JSON by the names of their columns, so a column can be added without a change here.
 * A function whose arguments or answer change gets a new name: older programs still call this one.
 */

import type { Migration } from './migration.ts'

export const views: Migration = {
  version: 3,
  name: 'views',
  statements: (s) => [
    ledgerNow(s),
    ...postViews(s, { suffix: '', incident: 't.id' }),
    lockAttempt(s),
    lockAction(s),
  ],
}

/** What differs between one generation of the functions that show a post and the next. */
export interface Shape {
  /** Ends their names. */
  readonly suffix: string
  /** What is shown of an action \`t\` with its incident \`i\`. */
  readonly incident: string
  /** Whether the latest verdict is left out, which only a look is measured against. */
  readonly leavesVerdictOut?: boolean
  /** Whether an account of which nothing is counted is shared instead of locked. */
  readonly sharesAccount?: boolean
}

export function postViews(s: string, shape: Shape): readonly string[] {
  return [readPost(s, shape), lockPost(s, shape), lockClaim(s, shape)]
}

/** The server's clock in whole milliseconds, or a given one, never below the latest written. */
function ledgerNow(s: string): string {
  return `create function ${s}.ledger_now(p_given float8) returns float8
    language plpgsql volatile as $$
    declare
      v_now float8;
    begin
      ${takeTime(s)}
      return v_now;
    end $$`
}

function takeTime(s: string): string {
  return `if p_given is null then
        v_now := floor(extract(epoch from clock_timestamp()) * 1000)::float8;
      else
        select greatest(p_given, clock_mark) into v_now from ${s}.ledger_state;
      end if;`
}

const reachParameters = `p_samples_ms float8, p_looks_ms float8, p_account_ms float8,
  p_account_limit int, p_platform_ms float8`

/**
 * What belongs to the post v_post of the account v_account, besides the rows of these two, as the
 * last statement of a function. `more` is added to the answer.
 */
function answerWithPost(s: string, shape: Shape, more: string): string {
  const { incident, leavesVerdictOut = false } = shape
  const latestVerdict = `
        (select row_to_json(t) from ${s}.verdicts t
          where t.post_id = v_post order by t.at desc, t.number limit 1),`
  return `select json_agg(row_to_json(t) order by t.number), bool_or(t.ended_at is not null)
        into j_actions, v_ended from ${s}.actions t where t.post_id = v_post;
      if v_ended then
        select json_agg(${incident} order by t.number) into j_incidents
          from ${s}.actions t join ${s}.incidents i on i.action_id = t.id
          where t.post_id = v_post;
      end if;
      return (select json_build_array(v_now, j_account, j_post, j_actions, j_incidents,
        (select json_agg(t.at order by t.number) from ${s}.own_replies t where t.post_id = v_post),
        (select json_agg(json_build_array(t.at, t.impressions, t.engagements, t.interactions)
            order by t.at)
          from ${s}.samples t where t.post_id = v_post and t.at >= v_now - p_samples_ms),
        (select json_agg(json_build_array(t.at, t.policy, t.score, t.stalled)
            order by t.at desc, t.number)
          from ${s}.verdicts t
          where t.post_id = v_post and t.at >= v_now - p_looks_ms and t.score is not null),${
            leavesVerdictOut ? '' : latestVerdict
          }
        (select json_agg(json_build_array(t.first_claimed_at, t.id)) from (
          select a.first_claimed_at, a.id from ${s}.actions a
          where a.account_id = v_account and a.undoes is null
            and a.first_claimed_at is not null and a.first_claimed_at >= v_now - p_account_ms
          order by a.first_claimed_at desc, a.number limit p_account_limit) t),
        case when p_platform_ms > 0 then (select json_agg(t.started_at) from ${s}.attempts t
          where t.platform = v_platform and t.started_at >= v_now - p_platform_ms) end,
        (select json_object_agg(t.action, t.count)
          from ${s}.without_lift t where t.account_id = v_account),
        ${pauses(s)}${more}));`
}

const postVariables = `v_account text; v_platform text; v_post text; v_now float8; v_ended boolean;
      j_account json; j_post json; j_actions json; j_incidents json;`

/** Those that concern the account and have not run out. */
function pauses(s: string): string {
  return `(select json_agg(row_to_json(t) order by t.number) from ${s}.pauses t
          where (t.until is null or t.until > v_now) and (t.scope = 'everything'
            or (t.scope = 'account' and t.target = v_account)
            or (t.scope = 'platform' and t.target = v_platform)))`
}

/** What a decision needs, without a lock. Stable, so that all of it is one snapshot. */
function readPost(s: string, shape: Shape): string {
  const { suffix } = shape
  return `create function ${s}.read_post${suffix}(p_post text, p_given float8, ${reachParameters})
    returns json language plpgsql stable as $$
    declare
      ${postVariables}
    begin
      select c.id, c.platform, p.id, row_to_json(c), row_to_json(p)
        into v_account, v_platform, v_post, j_account, j_post
        from ${s}.posts p join ${s}.accounts c on c.id = p.account_id where p.id = p_post;
      if not found then return null; end if;
      ${takeTime(s)}
      ${answerWithPost(s, shape, '')}
    end $$`
}

/** The row locks of one statement are taken in the order in which OF lists them. */
export function lockPost(s: string, shape: Shape, more = ''): string {
  const { suffix } = shape
  const rows = `select c.id, c.platform, p.id, row_to_json(c), row_to_json(p)
          into v_account, v_platform, v_post, j_account, j_post
          from ${s}.posts p join ${s}.accounts c on c.id = p.account_id
          where p.id = p_post`
  const isThere = `exists (select from ${s}.posts where id = p_post)`
  return `create function ${s}.lock_post${suffix}(p_post text, p_wait boolean, p_given float8,
      ${reachParameters}) returns json language plpgsql volatile as $$
    declare
      ${postVariables}
    begin
      ${lockWithAccount(shape, rows, 'p', isThere)}
      ${takeTime(s)}
      ${answerWithPost(s, shape, more)}
    end $$`
}

export function lockClaim(s: string, shape: Shape, more = ''): string {
  const { suffix } = shape
  const rows = `select c.id, c.platform, p.id, t.attempts, row_to_json(c), row_to_json(p)
          into v_account, v_platform, v_post, v_attempts, j_account, j_post
          from ${s}.actions t join ${s}.posts p on p.id = t.post_id
          join ${s}.accounts c on c.id = t.account_id
          where t.id = p_action`
  const isThere = `exists (select from ${s}.actions where id = p_action)`
  return `create function ${s}.lock_claim${suffix}(p_action text, p_wait boolean, p_given float8,
      ${reachParameters}) returns json language plpgsql volatile as $$
    declare
      ${postVariables}
      v_attempts int; j_attempts json;
    begin
      ${lockWithAccount(shape, rows, 'p, t', isThere)}
      ${takeTime(s)}
      ${readAttempts(s)}
      ${answerWithPost(s, shape, `, j_attempts${more}`)}
    end $$`
}

/** The account, and the others of its rows. Where it is shared, nobody else may change it. */
function lockWithAccount(
  { sharesAccount = false }: Shape,
  select: string,
  others: string,
  isThere: string,
): string {
  const locked = lockRows(`${select} for no key update of c, ${others}`, isThere)
  if (!sharesAccount) return locked
  const shared = `${select} for share of c for no key update of ${others}`
  return `if p_account_limit > 0 then
      ${locked}
      else
      ${lockRows(shared, isThere)}
      end if;`
}

function lockRows(select: string, isThere: string): string {
  return `if p_wait then
        ${select};
        if not found then return null; end if;
      else
        ${select} skip locked;
        if not found then
          if ${isThere} then return '"locked"'::json; end if;
          return null;
        end if;
      end if;`
}

/** Most actions have none yet, and then there is nothing to look for. */
function readAttempts(s: string): string {
  return `if v_attempts > 0 then
        select json_agg(row_to_json(t) order by t.number) into j_attempts
          from ${s}.attempts t where t.action_id = p_action;
      end if;`
}

/**
 * The locks of an attempt that is about to begin. The first is held by all of them together until
 * their transactions end, and a pause takes it alone: when a pause is acknowledged, no attempt is
 * on its way (I11). The second makes the attempts of a platform follow one another, so that they
 * count each other. Both come before any row is locked, so that who waits here holds nothing up.
 */
function lockAttempt(s: string): string {
  return `create function ${s}.lock_attempt(p_action text, p_wait boolean,
      p_count_platform boolean) returns boolean language plpgsql volatile as $$
    declare
      v_pauses bigint := hashtextextended('secondwind ${s} pauses', 0);
      v_platform bigint := (select hashtextextended('secondwind ${s} platform ' || platform, 0)
        from ${s}.actions where id = p_action);
    begin
      if p_wait then
        perform pg_advisory_xact_lock_shared(v_pauses);
        if p_count_platform then perform pg_advisory_xact_lock(v_platform); end if;
        return true;
      end if;
      return pg_try_advisory_xact_lock_shared(v_pauses)
        and (not p_count_platform or pg_try_advisory_xact_lock(v_platform));
    end $$`
}

/**
 * p_platform_ms is null for all but an attempt. p_with_post locks the post before the action, for
 * the few steps that change it.
 */
export function lockAction(s: string, suffix = '', more = ''): string {
  const rows = `select t.account_id, t.platform, t.post_id, t.attempts, row_to_json(t)
          into v_account, v_platform, v_post, v_attempts, j_action
          from ${s}.actions t where t.id = p_action for no key update`
  return `create function ${s}.lock_action${suffix}(p_action text, p_wait boolean, p_given float8,
      p_platform_ms float8, p_with_post boolean) returns json language plpgsql volatile as $$
    declare
      v_account text; v_platform text; v_post text; v_attempts int; v_now float8;
      j_action json; j_attempts json;
    begin
      if p_platform_ms is not null then
        if not ${s}.lock_attempt(p_action, p_wait, p_platform_ms > 0) then
          return '"locked"'::json;
        end if;
      end if;
      if p_with_post then
        perform from ${s}.posts
          where id = (select post_id from ${s}.actions where id = p_action) for no key update;
      end if;
      ${lockRows(rows, `exists (select from ${s}.actions where id = p_action)`)}
      ${takeTime(s)}
      ${readAttempts(s)}
      return (select json_build_array(v_now, row_to_json(c), row_to_json(p), j_action, j_attempts,
        ${pauses(s)},
        case when p_platform_ms > 0 then (select json_agg(t.started_at) from ${s}.attempts t
          where t.platform = v_platform and t.started_at >= v_now - p_platform_ms) end${more})
        from ${s}.posts p, ${s}.accounts c where p.id = v_post and c.id = v_account);
    end $$`
}
