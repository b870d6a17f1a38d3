/** When an account's actions are due that may be claimed and never were: a plan asks for that. */

import type { Migration } from './migration.ts'

/** A query finds the index where it says the same. */
export const isReserved =
  "state IN ('planned', 'approved') AND first_claimed_at IS NULL AND undoes IS NULL"

export const reserved: Migration = {
  version: 7,
  name: 'reserved',
  sql: `
CREATE INDEX actions_reserved ON actions (account_id, due_at) WHERE ${isReserved};
`,
}
