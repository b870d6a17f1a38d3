/** The shelf. Its numbers are never given twice, so that a version says which writing it was. */

import type { Migration } from './migration.ts'

export const shelf: Migration = {
  version: 3,
  name: 'shelf',
  sql: `
CREATE TABLE items (
  version INTEGER PRIMARY KEY AUTOINCREMENT,
  collection TEXT NOT NULL,
  id TEXT NOT NULL,
  value TEXT,
  expires_at REAL,
  UNIQUE (collection, id)
) STRICT;
CREATE INDEX items_to_sweep ON items (expires_at) WHERE expires_at IS NOT NULL;
`,
}
