/** The list of all migrations. A new one is added at the end; none is ever changed or removed. */

import { tables } from './001-tables.ts'
import { actionLaw } from './002-action-law.ts'
import { views } from './003-views.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [tables, actionLaw, views]
