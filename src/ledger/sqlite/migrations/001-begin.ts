/**
 * The first schema. Instants are REAL, which holds their fractions exactly; JSON is TEXT. Rows that
 * are read in the order they came have a number of their own.
 */

import { canBeNoticed, canExpire, stateCheck, stateTriggers } from '../state-rules.ts'
import type { Migration } from './migration.ts'

const records = `
CREATE TABLE ledger_time (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  high_water REAL NOT NULL
) STRICT;
INSERT INTO ledger_time (id, high_water) VALUES (1, 0);

CREATE TABLE settings (
  name TEXT NOT NULL PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE policies (
  id TEXT NOT NULL PRIMARY KEY,
  body TEXT NOT NULL
) STRICT;

CREATE TABLE accounts (
  id TEXT NOT NULL PRIMARY KEY,
  platform TEXT NOT NULL,
  handle TEXT NOT NULL,
  mode TEXT NOT NULL CHECK (mode IN ('watch', 'approve', 'auto')),
  time_zone TEXT NOT NULL,
  policy TEXT NOT NULL,
  holdout_share REAL NOT NULL,
  credentials TEXT,
  status TEXT NOT NULL CHECK (status IN ('active', 'parked', 'erased')),
  status_reason TEXT,
  created_at REAL NOT NULL,
  discover_at REAL
) STRICT;
CREATE INDEX accounts_to_discover ON accounts (discover_at, id)
  WHERE status = 'active' AND discover_at IS NOT NULL;

-- Samples point at a post's number and not at its id: there are many, and it is a tenth as long.
CREATE TABLE posts (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL REFERENCES accounts (id),
  platform TEXT NOT NULL,
  remote_id TEXT NOT NULL,
  url TEXT,
  text TEXT,
  content_version TEXT,
  published_at REAL NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('watched', 'closed', 'gone')),
  never_touch INTEGER NOT NULL CHECK (never_touch IN (0, 1)),
  arm TEXT CHECK (arm IN ('act', 'holdout')),
  propensity REAL,
  next_check_at REAL,
  tracked_at REAL NOT NULL,
  closed_at REAL,
  -- 1 once its raw samples are gone, so that retention never looks at it again.
  shrunk INTEGER NOT NULL DEFAULT 0 CHECK (shrunk IN (0, 1)),
  UNIQUE (account_id, remote_id)
) STRICT;
CREATE INDEX posts_of_account ON posts (account_id, id);
CREATE INDEX posts_to_check ON posts (next_check_at, id) WHERE next_check_at IS NOT NULL;
CREATE INDEX posts_to_shrink ON posts (published_at) WHERE status <> 'watched' AND shrunk = 0;

CREATE TABLE samples (
  post INTEGER NOT NULL REFERENCES posts (number),
  at REAL NOT NULL,
  impressions REAL,
  engagements REAL NOT NULL,
  interactions TEXT,
  PRIMARY KEY (post, at)
) STRICT, WITHOUT ROWID;

CREATE TABLE own_replies (
  number INTEGER PRIMARY KEY,
  post_id TEXT NOT NULL REFERENCES posts (id),
  remote_id TEXT NOT NULL,
  at REAL NOT NULL,
  UNIQUE (post_id, remote_id)
) STRICT;

-- The trace stands last: looks are read without it.
CREATE TABLE verdicts (
  number INTEGER PRIMARY KEY,
  post_id TEXT NOT NULL REFERENCES posts (id),
  policy TEXT NOT NULL,
  at REAL NOT NULL,
  evaluated_at REAL NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('plan', 'hold', 'healthy', 'insufficient')),
  reason TEXT,
  score REAL,
  stalled INTEGER NOT NULL CHECK (stalled IN (0, 1)),
  tier TEXT,
  until TEXT,
  trace TEXT
) STRICT;
CREATE UNIQUE INDEX verdicts_of_post ON verdicts (post_id, at DESC, policy);
`

const actions = `
CREATE TABLE actions (
  number INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  key TEXT NOT NULL UNIQUE,
  post_id TEXT NOT NULL REFERENCES posts (id),
  account_id TEXT NOT NULL REFERENCES accounts (id),
  platform TEXT NOT NULL,
  action TEXT NOT NULL CHECK (action IN ('comment', 'edit', 'thread')),
  tier TEXT NOT NULL CHECK (tier IN ('tier_1', 'tier_2', 'tier_3')),
  generation INTEGER NOT NULL CHECK (generation >= 0),
  state TEXT NOT NULL,
  policy TEXT NOT NULL,
  score REAL NOT NULL,
  text TEXT,
  text_hash TEXT NOT NULL,
  revision INTEGER NOT NULL,
  planned_at REAL NOT NULL,
  expires_at REAL NOT NULL,
  notice_at REAL,
  due_at REAL,
  token TEXT,
  lease_until REAL,
  first_claimed_at REAL,
  attempts INTEGER NOT NULL,
  may_land_until REAL,
  ended_at REAL,
  outcome TEXT,
  fault TEXT,
  undoes TEXT REFERENCES actions (id),
  version INTEGER NOT NULL CHECK (version >= 1),
  ${stateCheck}
) STRICT;
CREATE INDEX actions_of_post ON actions (post_id);
CREATE INDEX actions_of_account ON actions (account_id, id);
CREATE UNIQUE INDEX one_open_action_per_post ON actions (post_id) WHERE ended_at IS NULL;
CREATE INDEX actions_due ON actions (state, due_at, id, ended_at) WHERE ended_at IS NULL;
CREATE INDEX actions_to_expire ON actions (expires_at, id) WHERE ${canExpire};
CREATE INDEX actions_to_notice ON actions (notice_at, id)
  WHERE ${canBeNoticed} AND notice_at IS NOT NULL;
-- With the id in it, the tally of a budget is read from the index alone.
CREATE INDEX actions_claimed ON actions (account_id, first_claimed_at DESC, id, undoes)
  WHERE first_claimed_at IS NOT NULL AND undoes IS NULL;
CREATE INDEX actions_by_time ON actions (account_id, planned_at, id) WHERE undoes IS NULL;
${stateTriggers}
CREATE TABLE attempts (
  id TEXT NOT NULL PRIMARY KEY,
  action_id TEXT NOT NULL REFERENCES actions (id),
  platform TEXT NOT NULL,
  number INTEGER NOT NULL,
  segment INTEGER NOT NULL,
  token TEXT NOT NULL,
  started_at REAL NOT NULL,
  deadline_at REAL NOT NULL,
  ended_at REAL,
  result TEXT NOT NULL CHECK (result IN ('pending', 'landed', 'not_landed', 'unknown')),
  fault TEXT,
  prepared TEXT,
  remote_id TEXT,
  UNIQUE (action_id, number)
) STRICT;
CREATE INDEX attempts_on_platform ON attempts (platform, started_at);
CREATE TRIGGER attempts_keep_their_subject
  BEFORE UPDATE OF id, action_id, platform, number, segment, token, started_at ON attempts
BEGIN
  SELECT RAISE(ABORT, 'which send an attempt is never changes');
END;
CREATE TRIGGER attempts_stay BEFORE DELETE ON attempts
BEGIN
  SELECT RAISE(ABORT, 'an attempt is never deleted');
END;

CREATE TABLE approvals (
  number INTEGER PRIMARY KEY,
  action_id TEXT NOT NULL REFERENCES actions (id),
  at REAL NOT NULL,
  decision TEXT NOT NULL,
  by TEXT NOT NULL,
  reason TEXT,
  text_hash TEXT NOT NULL,
  policy TEXT NOT NULL
) STRICT;
CREATE INDEX approvals_of_action ON approvals (action_id);

CREATE TABLE incidents (
  action_id TEXT NOT NULL PRIMARY KEY REFERENCES actions (id),
  at REAL NOT NULL,
  kind TEXT NOT NULL,
  detail TEXT
) STRICT;

CREATE TABLE pauses (
  number INTEGER PRIMARY KEY AUTOINCREMENT,
  scope TEXT NOT NULL CHECK (scope IN ('everything', 'platform', 'account')),
  target TEXT NOT NULL,
  since REAL NOT NULL,
  until REAL,
  reason TEXT NOT NULL,
  by TEXT NOT NULL,
  UNIQUE (scope, target)
) STRICT;
`

const learning = `
CREATE TABLE measurements (
  number INTEGER PRIMARY KEY,
  post_id TEXT NOT NULL REFERENCES posts (id),
  horizon_ms REAL NOT NULL,
  due_at REAL NOT NULL,
  taken_at REAL,
  gain REAL,
  detail TEXT,
  UNIQUE (post_id, horizon_ms)
) STRICT;
CREATE INDEX measurements_due ON measurements (due_at) WHERE taken_at IS NULL;

CREATE TABLE curves (
  post_id TEXT NOT NULL PRIMARY KEY REFERENCES posts (id),
  account_id TEXT NOT NULL,
  platform TEXT NOT NULL,
  matured_at REAL NOT NULL,
  weight REAL NOT NULL,
  points TEXT
) STRICT;
CREATE INDEX curves_of_account ON curves (account_id, matured_at DESC, post_id);
CREATE INDEX curves_of_platform ON curves (platform, matured_at DESC, post_id);

CREATE TABLE without_lift (
  account_id TEXT NOT NULL,
  action TEXT NOT NULL,
  count REAL NOT NULL,
  PRIMARY KEY (account_id, action)
) STRICT, WITHOUT ROWID;
`

const keeping = `
-- Rows are never deleted, so numbers are never used again although nothing counts them elsewhere.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  at REAL NOT NULL,
  type TEXT NOT NULL,
  account_id TEXT,
  post_id TEXT,
  action_id TEXT,
  data TEXT NOT NULL,
  -- The ledger's time in the transaction that wrote it; \`at\` is whatever the event says.
  written_at REAL NOT NULL
) STRICT;
CREATE TRIGGER events_never_change BEFORE UPDATE ON events
BEGIN
  SELECT RAISE(ABORT, 'an event never changes');
END;
CREATE TRIGGER events_stay BEFORE DELETE ON events
BEGIN
  SELECT RAISE(ABORT, 'an event is never deleted');
END;

CREATE TABLE audit (
  number INTEGER PRIMARY KEY,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER audit_never_changes BEFORE UPDATE ON audit
BEGIN
  SELECT RAISE(ABORT, 'an audit entry never changes');
END;
CREATE TRIGGER audit_stays BEFORE DELETE ON audit
BEGIN
  SELECT RAISE(ABORT, 'an audit entry is never deleted');
END;
`

export const begin: Migration = {
  version: 1,
  name: 'begin',
  sql: records + actions + learning + keeping,
}
