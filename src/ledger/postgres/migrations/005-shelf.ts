/** The shelf. A version is never given twice, so that it says which writing it was. */

import type { Migration } from './migration.ts'

export const shelf: Migration = {
  version: 5,
  name: 'shelf',
  tables: ['items'],
  statements: (s) => [
    `create table ${s}.items (
      collection text collate "C" not null,
      id text collate "C" not null,
      value json,
      expires_at double precision,
      version bigint generated always as identity,
      primary key (collection, id)
    )`,
    `create index items_to_sweep on ${s}.items (expires_at) where expires_at is not null`,
  ],
}
