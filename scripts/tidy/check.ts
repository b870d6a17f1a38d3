/** Runs every rule over a file or over the whole tree, and words the result. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { givenTime } from './given-time.ts'
import { importDirection } from './import-direction.ts'
import { namedExports } from './named-exports.ts'
import { checkFolder, fileName } from './names.ts'
import { headerComment, unfinished } from './prose.ts'
import { pureCore } from './pure-core.ts'
import { fileLength, functionLength, lineLength } from './size-limits.ts'
import { parseSource } from './source-file.ts'
import type { Rule, Violation } from './source-file.ts'
import { readTree } from './tree.ts'

const rules: readonly Rule[] = [
  importDirection,
  pureCore,
  givenTime,
  fileLength,
  functionLength,
  lineLength,
  fileName,
  headerComment,
  namedExports,
  unfinished,
]

/** Every name that a violation can carry. */
export const ruleNames: readonly string[] = [
  'syntax',
  ...rules.map(({ name }) => name),
  'folder-name',
]

export interface TreeReport {
  readonly fileCount: number
  readonly violations: readonly Violation[]
}

export function checkTree(root: string): TreeReport {
  const { files, folders } = readTree(root)
  const violations = [
    ...folders.flatMap(checkFolder),
    ...files.flatMap((path) => checkSource(path, readFileSync(join(root, path), 'utf8'))),
  ]
  return { fileCount: files.length, violations }
}

export function checkSource(path: string, text: string): readonly Violation[] {
  const file = parseSource(path, text)
  const [error] = file.syntaxErrors
  if (error !== undefined) {
    const line = file.lineOf(error.labels[0]?.start ?? 0)
    return [{ path, line, rule: 'syntax', what: `${error.message}; correct it` }]
  }
  const violations: Violation[] = []
  const seen = new Set<string>()
  for (const rule of rules) {
    for (const { at, what } of rule.check(file)) {
      const line = file.lineOf(at)
      const identity = `${line} ${rule.name} ${what}`
      if (!seen.has(identity)) violations.push({ path, line, rule: rule.name, what })
      seen.add(identity)
    }
  }
  return violations.sort((a, b) => a.line - b.line)
}

/** The lines to print: each violation and then a count. */
export function wordReport({ fileCount, violations }: TreeReport): readonly string[] {
  const count = violations.length === 0 ? 'no' : String(violations.length)
  const noun = violations.length === 1 ? 'violation' : 'violations'
  return [
    ...violations.map(({ path, line, rule, what }) => `${path}:${line}: ${rule}: ${what}`),
    `tidy: ${count} ${noun} of ${ruleNames.length} rules in ${fileCount} files`,
  ]
}
