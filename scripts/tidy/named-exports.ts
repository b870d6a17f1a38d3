/** Keeps every export named, so that one thing has one name wherever it is used. */

import { nameOf } from './imports.ts'
import type { Finding, Rule } from './source-file.ts'

const what = 'a default export has another name in each importer; export it by name'

export const namedExports: Rule = {
  name: 'named-exports',
  check(file) {
    // Tools read the default export of their configuration.
    if (/\.config\.tsx?$/.test(file.path)) return []
    const findings: Finding[] = []
    file.walk({
      ExportDefaultDeclaration: (node) => findings.push({ at: node.start, what }),
      ExportSpecifier: (node) => {
        if (nameOf(node.exported) === 'default') findings.push({ at: node.start, what })
      },
    })
    return findings
  },
}
