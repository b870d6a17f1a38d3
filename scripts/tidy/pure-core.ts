/**
 * Keeps the core pure: what it imports cannot read a file, open a socket or start a process. Its
 * tests may, because a test reads recorded cases.
 */

import { findImports } from './imports.ts'
import type { Import } from './imports.ts'
import { isTest } from './source-file.ts'
import type { Rule } from './source-file.ts'

/** What the core may import from outside the repository: all of it, or the names listed. */
const allowed: Readonly<Record<string, 'everything' | readonly string[]>> = {
  zod: 'everything',
  'node:crypto': ['hash', 'createHash'],
}

export const pureCore: Rule = {
  name: 'pure-core',
  check(file) {
    if (!file.path.startsWith('src/core/') || isTest(file.path)) return []
    return findImports(file)
      .filter((entry) => !entry.specifier.startsWith('.') && !isAllowed(entry))
      .map(({ at, specifier }) => ({
        at,
        what: `the core must not import ${specifier}; have the caller pass in what it gives`,
      }))
  },
}

function isAllowed({ specifier, names }: Import): boolean {
  const permitted = allowed[specifier]
  if (permitted === undefined || permitted === 'everything') return permitted !== undefined
  return names !== null && names.every((name) => permitted.includes(name))
}
