/** Owns finding what a file imports, in every form the language has for it. */

import { posix } from 'node:path'
import type { ESTree } from 'rolldown/utils'
import type { SourceFile } from './source-file.ts'

export interface Import {
  readonly at: number
  readonly specifier: string
  /** True where nothing of it is left when the program runs. */
  readonly typeOnly: boolean
  /** The names it takes, or null where it takes the whole module. */
  readonly names: readonly string[] | null
}

const packageName = 'secondwind'

export function findImports(file: SourceFile): readonly Import[] {
  const found: Import[] = []
  const add = (node: ESTree.Span, source: unknown, typeOnly: boolean, names: Import['names']) => {
    const specifier = textOf(source)
    if (specifier !== null) found.push({ at: node.start, specifier, typeOnly, names })
  }
  file.walk({
    ImportDeclaration: (node) =>
      add(node, node.source, node.importKind === 'type', importedNames(node.specifiers)),
    ExportNamedDeclaration: (node) =>
      add(node, node.source, node.exportKind === 'type', exportedNames(node.specifiers)),
    ExportAllDeclaration: (node) => add(node, node.source, node.exportKind === 'type', null),
    ImportExpression: (node) => add(node, node.source, false, null),
    TSImportType: (node) => add(node, node.source, true, null),
  })
  return found
}

/**
 * The path that an import leads to, or null where it leads out of the repository. The package's own
 * name leads to its entry points.
 */
export function targetOf(file: SourceFile, { specifier }: Import): string | null {
  if (specifier.startsWith('.')) return posix.join(posix.dirname(file.path), specifier)
  if (specifier === packageName) return 'src/index.ts'
  if (!specifier.startsWith(`${packageName}/`)) return null
  return `src/${specifier.slice(packageName.length + 1)}/index.ts`
}

function textOf(source: unknown): string | null {
  const node = source as ESTree.Expression | null
  if (node?.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node?.type !== 'TemplateLiteral' || node.expressions.length > 0) return null
  return node.quasis[0]?.value.cooked ?? null
}

function importedNames(specifiers: ESTree.ImportDeclaration['specifiers']): Import['names'] {
  const names: string[] = []
  for (const specifier of specifiers) {
    if (specifier.type !== 'ImportSpecifier') return null
    names.push(nameOf(specifier.imported))
  }
  return names
}

function exportedNames(specifiers: readonly ESTree.ExportSpecifier[]): readonly string[] {
  return specifiers.map(({ local }) => nameOf(local))
}

/** An imported or exported name may be an identifier or, rarely, a string. */
export function nameOf(name: ESTree.ModuleExportName): string {
  return name.type === 'Literal' ? name.value : name.name
}
