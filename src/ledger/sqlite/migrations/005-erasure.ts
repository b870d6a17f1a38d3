/** Erasing an account takes the words of its faults along. */

import { endTriggerWithFaults } from '../state-rules.ts'
import type { Migration } from './migration.ts'

export const erasure: Migration = {
  version: 5,
  name: 'erasure',
  sql: `
DROP TRIGGER actions_end_for_good;
${endTriggerWithFaults}
`,
}
