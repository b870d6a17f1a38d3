/** Keeps names telling: what a file or folder holds must be guessable before it is opened. */

import { posix } from 'node:path'
import type { Rule, Violation } from './source-file.ts'

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*\.tsx?$/
const emptyNames = new Set(['utils', 'common', 'lib', 'helpers'])

export const fileName: Rule = {
  name: 'file-name',
  check({ path }) {
    const name = posix.basename(path)
    if (kebabCase.test(name)) return []
    return [{ at: 0, what: `${name} is not kebab-case; rename it like this-one.ts` }]
  },
}

/** Looks at folders, because a folder without source files has a name too. */
export function checkFolder(path: string): readonly Violation[] {
  const name = posix.basename(path)
  if (!emptyNames.has(name.toLowerCase())) return []
  const what = `"${name}" says nothing; name the folder after the idea it holds`
  return [{ path, line: 1, rule: 'folder-name', what }]
}
