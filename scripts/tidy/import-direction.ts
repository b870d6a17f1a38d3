/**
 * Keeps imports pointing one way, so that the architecture can be read off `ls src`:
 *
 *   core ← classic, ledger, platform, content, vault, config ← engine ← server ← demo ← cli
 *
 * Types count like everything else: who knows a type knows its part.
 */

import { findImports, targetOf } from './imports.ts'
import type { Import } from './imports.ts'
import { isTest } from './source-file.ts'
import type { Finding, Rule, SourceFile } from './source-file.ts'

const parts = ['core', 'classic', 'ledger', 'platform', 'content', 'vault', 'config'] as const

/** For each part of src, the other parts that it may import. Any part may import itself. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  core: [],
  system: ['core'],
  classic: ['core', 'system'],
  ledger: ['core'],
  platform: ['core'],
  content: ['core'],
  vault: ['core'],
  config: ['core'],
  engine: [...parts, 'system'],
  server: [...parts, 'system', 'engine'],
  demo: [...parts, 'system', 'engine', 'server'],
  cli: [...parts, 'system', 'engine', 'server', 'demo'],
  testing: ['core', 'ledger', 'platform', 'system'],
  index: [...parts, 'system', 'engine', 'server', 'cli'],
}

const outside = new Set(['sim', 'test', 'bench', 'scripts', 'examples', 'web'])

export const importDirection: Rule = {
  name: 'import-direction',
  check(file) {
    const findings: Finding[] = []
    const from = partOf(file.path)
    if (from !== null && mayImport[from] === undefined) {
      const what = `src/${from} has no place in the architecture; give it one in this rule's table`
      findings.push({ at: 0, what })
    }
    for (const entry of findImports(file)) {
      const what = objection(file, from, entry)
      if (what !== null) findings.push({ at: entry.at, what })
    }
    return findings
  },
}

function objection(file: SourceFile, from: string | null, entry: Import): string | null {
  const target = targetOf(file, entry)
  if (target === null) return null
  const to = partOf(target)
  if (from === null) return to === null ? null : objectionFromOutside(file, target, entry)
  if (to === null) {
    const folder = target.split('/')[0] as string
    // Builders of test data are shared by the tests beside the code and those in test.
    if (isTest(file.path) && target.startsWith('test/builders/')) return null
    return outside.has(folder) ? `src must not import ${folder}; move what it needs` : null
  }
  const allowed = allowedFor(file, from)
  if (to === from || allowed.includes(to)) return null
  const list = allowed.length === 0 ? 'nothing else of src' : `only ${allowed.join(', ')}`
  return `${from} must not import ${to}; it may import ${list}`
}

/** The kits in src/testing are for tests; code that ships never needs them. */
function allowedFor(file: SourceFile, from: string): readonly string[] {
  const allowed = mayImport[from] ?? []
  return isTest(file.path) ? [...allowed, 'testing'] : allowed
}

/** The dashboard speaks HTTP: of the server it knows the types of its answers and no code. */
function objectionFromOutside(file: SourceFile, target: string, entry: Import): string | null {
  if (!file.path.startsWith('web/')) return null
  if (target.startsWith('src/server/') && entry.typeOnly) return null
  return 'web must not import src, except with `import type` from src/server; it speaks HTTP only'
}

/** The part of src that a path belongs to, or null outside src. */
function partOf(path: string): string | null {
  const [top, second = ''] = path.split('/')
  return top === 'src' ? second.replace(/(\.test)?\.tsx?$/, '') : null
}
