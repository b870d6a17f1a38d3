/** All migrations, in order. One that was released is never edited: a change is a new one. */

import { begin } from './001-begin.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [begin]
