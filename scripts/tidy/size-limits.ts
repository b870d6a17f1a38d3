/** Keeps files, functions and lines short enough to be read in one go. */

import type { ESTree } from 'rolldown/utils'
import type { Finding, Rule, SourceFile } from './source-file.ts'

const maximumFileLines = 400
const maximumFunctionLines = 70
const maximumLineCharacters = 100

export const fileLength: Rule = {
  name: 'file-length',
  check({ lines }) {
    const count = lines.length
    if (count <= maximumFileLines) return []
    const at = lines.slice(0, maximumFileLines).join('\n').length + 1
    return [{ at, what: `${count} lines, at most ${maximumFileLines}; split it by idea` }]
  },
}

export const functionLength: Rule = {
  name: 'function-length',
  check(file) {
    const findings: Finding[] = []
    const suites = new Set<unknown>()
    const measure = (node: ESTree.Function | ESTree.ArrowFunctionExpression) => {
      const count = file.lineOf(node.end) - file.lineOf(node.start) + 1
      if (count <= maximumFunctionLines || suites.has(node)) return
      const what = `a function of ${count} lines, at most ${maximumFunctionLines}; split it`
      findings.push({ at: node.start, what })
    }
    file.walk({
      // A suite is a list of tests and not a procedure; the tests in it are measured.
      CallExpression: (node) => {
        if (rootName(node.callee) === 'describe')
          for (const part of node.arguments) suites.add(part)
      },
      FunctionDeclaration: measure,
      FunctionExpression: measure,
      ArrowFunctionExpression: measure,
    })
    return findings
  },
}

/** `describe` of `describe`, `describe.each` and `describe.each(cases)`. */
function rootName(node: ESTree.Expression): string | null {
  if (node.type === 'MemberExpression') return rootName(node.object)
  if (node.type === 'CallExpression') return rootName(node.callee)
  return node.type === 'Identifier' ? node.name : null
}

export const lineLength: Rule = {
  name: 'line-length',
  check(file) {
    const findings: Finding[] = []
    let at = 0
    for (const line of file.lines) {
      const count = line.length
      if (count > maximumLineCharacters && !isLongAddress(file, line, at)) {
        const what = `${count} characters, at most ${maximumLineCharacters}; break the line`
        findings.push({ at, what })
      }
      at += line.length + 1
    }
    return findings
  },
}

/** An address in a comment cannot be broken; without it the line must fit. */
function isLongAddress(file: SourceFile, line: string, lineStart: number): boolean {
  const address = /https?:\/\/\S+/.exec(line)
  if (address === null || line.length - address[0].length > maximumLineCharacters) return false
  const at = lineStart + address.index
  return file.comments.some(({ start, end }) => start <= at && at < end)
}
