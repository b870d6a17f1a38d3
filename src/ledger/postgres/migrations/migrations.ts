/** The list of all migrations. A new one is added at the end; none is ever changed or removed. */

import { tables } from './001-tables.ts'
import { actionLaw } from './002-action-law.ts'
import { views } from './003-views.ts'
import { profiles } from './004-profiles.ts'
import { shelf } from './005-shelf.ts'
import { pages } from './006-pages.ts'
import { evidence } from './007-evidence.ts'
import { blocks } from './008-blocks.ts'
import { checks } from './009-checks.ts'
import { sharedAccounts } from './010-shared-accounts.ts'
import { handingOut } from './011-handing-out.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  tables,
  actionLaw,
  views,
  profiles,
  shelf,
  pages,
  evidence,
  blocks,
  checks,
  sharedAccounts,
  handingOut,
]
