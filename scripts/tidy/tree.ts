/** Owns which files and folders of the repository are looked at. */

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export interface Tree {
  /** TypeScript files, from the root, with forward slashes, in order. */
  readonly files: readonly string[]
  readonly folders: readonly string[]
}

const sourceFolders = new Set(['src', 'scripts', 'test', 'bench', 'sim', 'web', 'examples'])
const skippedNames = new Set(['node_modules', 'dist', 'coverage'])
const fixtures = 'test/fixtures'

export function readTree(root: string): Tree {
  const files: string[] = []
  const folders: string[] = []
  const enter = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (entry.isDirectory()) {
        if (isSkipped(entry.name, path)) continue
        folders.push(path)
        enter(path)
      } else if (/\.tsx?$/.test(entry.name) && isSource(path)) files.push(path)
    }
  }
  enter('')
  return { files: files.sort(), folders: folders.sort() }
}

function isSkipped(name: string, path: string): boolean {
  return name.startsWith('.') || skippedNames.has(name) || path === fixtures
}

/** Configuration beside package.json is source too. */
function isSource(path: string): boolean {
  const [top = '', ...rest] = path.split('/')
  return rest.length === 0 || sourceFolders.has(top)
}
