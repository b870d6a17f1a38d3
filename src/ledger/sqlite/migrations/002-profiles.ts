/** What connectors learn about an account. */

import type { Migration } from './migration.ts'

export const profiles: Migration = {
  version: 2,
  name: 'profiles',
  sql: 'ALTER TABLE accounts ADD COLUMN profile TEXT;',
}
