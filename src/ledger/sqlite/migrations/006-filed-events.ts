/**
 * Where the events of an account and of a post stand. Indexes said so before, and made every
 * transaction write two pages more for it. Now events are filed by the hundred: the one that fills
 * a batch files all of it. Those after the last full batch are few, and are read as they are.
 */

import type { Migration } from './migration.ts'

/** A part of the schema: another number needs another trigger, and all events filed anew. */
export const eventsPerBatch = 128

/** The last event of the last full batch, where `seq` is the last of all. */
export const lastFiled = (seq: string) => `(${seq} / ${eventsPerBatch} * ${eventsPerBatch})`

const file = (table: string, column: string, from: string, to: string) => `
  INSERT INTO ${table} (${column}, seq) SELECT ${column}, seq FROM events
    WHERE seq > ${from} AND seq <= ${to} AND ${column} IS NOT NULL;`

const fileBoth = (from: string, to: string) =>
  file('events_of_account', 'account_id', from, to) + file('events_of_post', 'post_id', from, to)

const newest = '(SELECT coalesce(max(seq), 0) FROM events)'

export const filedEvents: Migration = {
  version: 6,
  name: 'filed events',
  sql: `
DROP INDEX events_of_account;
DROP INDEX events_of_post;
CREATE TABLE events_of_account (
  account_id TEXT NOT NULL,
  seq INTEGER NOT NULL REFERENCES events (seq),
  PRIMARY KEY (account_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE events_of_post (
  post_id TEXT NOT NULL,
  seq INTEGER NOT NULL REFERENCES events (seq),
  PRIMARY KEY (post_id, seq)
) STRICT, WITHOUT ROWID;
${fileBoth('0', lastFiled(newest))}
CREATE TRIGGER events_are_filed AFTER INSERT ON events WHEN NEW.seq % ${eventsPerBatch} = 0
BEGIN${fileBoth(`NEW.seq - ${eventsPerBatch}`, 'NEW.seq')}
END;
`,
}
