/** What connectors learn about an account. */

import type { Migration } from './migration.ts'

export const profiles: Migration = {
  version: 4,
  name: 'profiles',
  statements: (s) => [`alter table ${s}.accounts add column profile json`],
}
