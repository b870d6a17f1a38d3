/** All migrations, in order. One that was released is never edited: a change is a new one. */

import { begin } from './001-begin.ts'
import { profiles } from './002-profiles.ts'
import { shelf } from './003-shelf.ts'
import { pages } from './004-pages.ts'
import { erasure } from './005-erasure.ts'
import { filedEvents } from './006-filed-events.ts'
import { reserved } from './007-reserved.ts'
import type { Migration } from './migration.ts'

export const migrations: readonly Migration[] = [
  begin,
  profiles,
  shelf,
  pages,
  erasure,
  filedEvents,
  reserved,
]
