/**
 * The first schema: every table of the ledger. Choices that hold for all of them:
 * - Instants are double precision, which keeps their grid of 1/1024 ms exactly.
 * - JSON is `json`, not `jsonb`: it comes back byte for byte, so that a prepared token is sent
 *   again as it was, and it may hold an escaped NUL, which jsonb refuses. Nothing asks into it.
 * - Ids compare by bytes (collation C), so that pages come in the order of the other stores and
 *   no index depends on a locale.
 * - `number` is the order in which rows were written; times may be equal.
 */

import type { Migration } from './migration.ts'

const id = 'text collate "C"'
const instant = 'double precision'
const number = 'number bigint generated always as identity'

export const tables: Migration = {
  version: 1,
  name: 'tables',
  tables: [
    'accounts',
    'actions',
    'approvals',
    'attempts',
    'audit',
    'curves',
    'events',
    'incidents',
    'ledger_state',
    'measurements',
    'own_replies',
    'pauses',
    'policies',
    'posts',
    'samples',
    'settings',
    'verdicts',
    'without_lift',
  ],
  statements: (s) => [
    ...accountTables(s),
    ...postTables(s),
    ...actionTable(s),
    ...attemptTables(s),
    ...learningTables(s),
    ...keepingTables(s),
  ],
}

function accountTables(s: string): readonly string[] {
  return [
    `create table ${s}.policies (id ${id} primary key, body json not null)`,
    `create table ${s}.accounts (
      id ${id} primary key,
      platform ${id} not null,
      handle text not null,
      mode text not null,
      time_zone text not null,
      policy ${id} not null,
      holdout_share double precision not null,
      credentials text,
      status text not null check (status in ('active', 'parked', 'erased')),
      status_reason text,
      created_at ${instant} not null,
      discover_at ${instant}
    )`,
    `create index accounts_to_discover on ${s}.accounts (discover_at, id)
      where status = 'active' and discover_at is not null`,
    `create table ${s}.without_lift (
      account_id ${id} not null,
      action text not null,
      count integer not null,
      primary key (account_id, action)
    )`,
  ]
}

function postTables(s: string): readonly string[] {
  return [
    // raw_from: nothing older can be shrunk away any more; null where nothing can be at all.
    `create table ${s}.posts (
      id ${id} primary key,
      account_id ${id} not null references ${s}.accounts,
      platform ${id} not null,
      remote_id ${id} not null,
      url text,
      text text,
      content_version text,
      published_at ${instant} not null,
      status text not null check (status in ('watched', 'closed', 'gone')),
      never_touch boolean not null,
      arm text check (arm in ('act', 'holdout')),
      propensity double precision,
      next_check_at ${instant},
      tracked_at ${instant} not null,
      closed_at ${instant},
      raw_from ${instant} default 0,
      unique (account_id, remote_id)
    )`,
    `create index posts_by_account on ${s}.posts (account_id, id)`,
    `create index posts_to_check on ${s}.posts (next_check_at, id)
      where next_check_at is not null`,
    `create index posts_to_shrink on ${s}.posts (raw_from, id)
      where raw_from is not null and status <> 'watched'`,
    // No foreign key: its check would lock the post's row for every reading. The statement that
    // inserts asks for the posts itself, and posts are never deleted.
    `create table ${s}.samples (
      post_id ${id} not null,
      at ${instant} not null,
      impressions double precision,
      engagements double precision not null,
      interactions json,
      primary key (post_id, at)
    )`,
    `create table ${s}.own_replies (
      post_id ${id} not null references ${s}.posts,
      remote_id ${id} not null,
      at ${instant} not null,
      ${number},
      primary key (post_id, remote_id)
    )`,
    `create table ${s}.verdicts (
      post_id ${id} not null references ${s}.posts,
      policy ${id} not null,
      at ${instant} not null,
      evaluated_at ${instant} not null,
      kind text not null,
      reason text,
      score double precision,
      stalled boolean not null,
      tier text,
      until json,
      trace json,
      ${number},
      primary key (post_id, at, policy)
    )`,
  ]
}

function actionTable(s: string): readonly string[] {
  return [
    // What its columns may hold, and how they may change, is the law of the next migration.
    `create table ${s}.actions (
      id ${id} primary key,
      key ${id} not null unique,
      post_id ${id} not null references ${s}.posts,
      account_id ${id} not null references ${s}.accounts,
      platform ${id} not null,
      action text not null,
      tier text not null,
      generation integer not null,
      state text collate "C" not null,
      policy ${id} not null,
      score double precision not null,
      text text,
      text_hash text not null,
      revision integer not null,
      planned_at ${instant} not null,
      expires_at ${instant} not null,
      notice_at ${instant},
      due_at ${instant},
      token text,
      lease_until ${instant},
      first_claimed_at ${instant},
      attempts integer not null,
      may_land_until ${instant},
      ended_at ${instant},
      outcome json,
      fault json,
      undoes ${id},
      version integer not null,
      ${number}
    )`,
    `create unique index one_open_action on ${s}.actions (post_id) where ended_at is null`,
    `create index actions_by_post on ${s}.actions (post_id, number)`,
    `create index actions_by_account on ${s}.actions (account_id, id)`,
    `create index latest_plans on ${s}.actions (account_id, planned_at desc, id desc)
      where undoes is null`,
    `create index first_claims on ${s}.actions (account_id, first_claimed_at desc, number)
      where first_claimed_at is not null and undoes is null`,
    `create index actions_due on ${s}.actions (state, due_at, id) where due_at is not null`,
    `create index actions_to_expire on ${s}.actions (expires_at, id)
      where state in ('planned', 'awaiting_approval', 'approved')`,
    `create index approvals_to_notice on ${s}.actions (notice_at, id)
      where state = 'awaiting_approval' and notice_at is not null`,
  ]
}

function attemptTables(s: string): readonly string[] {
  return [
    `create table ${s}.attempts (
      id ${id} primary key,
      action_id ${id} not null references ${s}.actions,
      platform ${id} not null,
      number integer not null,
      segment integer not null,
      token text not null,
      started_at ${instant} not null,
      deadline_at ${instant} not null,
      ended_at ${instant},
      result text not null,
      fault json,
      prepared json,
      remote_id text,
      unique (action_id, number)
    )`,
    `create index attempts_by_platform on ${s}.attempts (platform, started_at)`,
    `create table ${s}.approvals (
      action_id ${id} not null references ${s}.actions,
      at ${instant} not null,
      decision text not null,
      by text not null,
      reason text,
      text_hash text not null,
      policy ${id} not null,
      ${number},
      primary key (action_id, number)
    )`,
    `create table ${s}.incidents (
      action_id ${id} primary key references ${s}.actions,
      at ${instant} not null,
      kind text not null,
      detail json
    )`,
  ]
}

function learningTables(s: string): readonly string[] {
  return [
    `create table ${s}.measurements (
      post_id ${id} not null references ${s}.posts,
      horizon_ms double precision not null,
      due_at ${instant} not null,
      taken_at ${instant},
      gain double precision,
      detail json,
      ${number},
      primary key (post_id, horizon_ms)
    )`,
    `create index measurements_due on ${s}.measurements (due_at, number) where taken_at is null`,
    `create table ${s}.curves (
      post_id ${id} primary key,
      account_id ${id} not null,
      platform ${id} not null,
      matured_at ${instant} not null,
      weight double precision not null,
      points json
    )`,
    `create index curves_by_age on ${s}.curves (matured_at desc, post_id)`,
    `create index curves_by_account on ${s}.curves (account_id, matured_at desc, post_id)`,
    `create index curves_by_platform on ${s}.curves (platform, matured_at desc, post_id)`,
  ]
}

function keepingTables(s: string): readonly string[] {
  return [
    `create table ${s}.pauses (
      scope text not null,
      target ${id} not null,
      since ${instant} not null,
      until ${instant},
      reason text not null,
      by text not null,
      ${number},
      primary key (scope, target)
    )`,
    `create table ${s}.settings (name ${id} primary key, value text not null)`,
    // clock_mark: the latest time that a given clock wrote. event_offset: see events.ts.
    `create table ${s}.ledger_state (
      only_row boolean primary key default true check (only_row),
      clock_mark ${instant} not null default 0,
      event_offset bigint not null default 0
    )`,
    `insert into ${s}.ledger_state default values`,
    // txn: the transaction that wrote it, in the order in which readers may follow.
    `create table ${s}.events (
      txn bigint not null,
      seq bigint generated always as identity,
      at ${instant} not null,
      type text not null,
      account_id ${id},
      post_id ${id},
      action_id ${id},
      data json not null,
      primary key (txn, seq)
    )`,
    `create table ${s}.audit (
      number bigint primary key,
      txn bigint not null,
      seq bigint not null,
      hash text not null
    )`,
  ]
}
