/**
 * What lists for people are read by. A post carries what its latest verdict is, kept by triggers,
 * as no index over verdicts could tell which is the latest of its post.
 */

import type { Migration } from './migration.ts'

const ofLatest = `SELECT kind, stalled FROM verdicts WHERE post_id = NEW.post_id
      AND at = (SELECT at FROM verdicts WHERE post_id = NEW.post_id ORDER BY at DESC LIMIT 1)
      ORDER BY number LIMIT 1`

const noteLatest = `BEGIN
  UPDATE posts SET (latest_kind, latest_stalled) = (${ofLatest})
    WHERE id = NEW.post_id AND (latest_kind, latest_stalled) IS NOT (${ofLatest});
END;`

export const pages: Migration = {
  version: 4,
  name: 'pages',
  sql: `
ALTER TABLE posts ADD COLUMN latest_kind TEXT;
ALTER TABLE posts ADD COLUMN latest_stalled INTEGER;
UPDATE posts SET (latest_kind, latest_stalled) = (SELECT kind, stalled FROM verdicts
  WHERE post_id = posts.id ORDER BY at DESC, number LIMIT 1);
CREATE TRIGGER verdicts_are_noted AFTER INSERT ON verdicts ${noteLatest}
CREATE TRIGGER verdicts_are_noted_again AFTER UPDATE ON verdicts ${noteLatest}

CREATE INDEX posts_by_time ON posts (published_at, id);
CREATE INDEX posts_of_account_by_time ON posts (account_id, published_at, id);
CREATE INDEX posts_by_verdict ON posts (latest_kind, published_at, id);
CREATE INDEX posts_by_status ON posts (status, published_at, id);
CREATE INDEX posts_to_leave ON posts (published_at, id) WHERE never_touch = 1;
CREATE INDEX posts_watched ON posts (account_id) WHERE status = 'watched';
CREATE INDEX posts_stalled ON posts (account_id) WHERE status = 'watched' AND latest_stalled = 1;

CREATE INDEX accounts_parked ON accounts (id) WHERE status = 'parked';

-- Undos stand in it too, which the index that it replaces left out.
DROP INDEX actions_by_time;
CREATE INDEX actions_of_account_by_time ON actions (account_id, planned_at, id);
CREATE INDEX actions_by_time ON actions (planned_at, id);
CREATE INDEX actions_by_end ON actions (ended_at, state, account_id, undoes)
  WHERE ended_at IS NOT NULL;

CREATE INDEX events_of_account ON events (account_id, seq) WHERE account_id IS NOT NULL;
CREATE INDEX events_of_post ON events (post_id, seq) WHERE post_id IS NOT NULL;
`,
}
