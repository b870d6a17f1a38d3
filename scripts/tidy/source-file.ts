/** Owns a source file as the checks see it: its path, its text and its syntax tree. */

import { parseSync, Visitor } from 'rolldown/utils'
import type { ParseResult, VisitorObject } from 'rolldown/utils'

export interface SourceFile {
  /** From the root of the repository, with forward slashes. */
  readonly path: string
  readonly text: string
  readonly lines: readonly string[]
  readonly comments: ParseResult['comments']
  readonly syntaxErrors: ParseResult['errors']
  /** The number of the line that holds an offset, counted from 1. */
  lineOf(offset: number): number
  walk(visitor: VisitorObject): void
}

export interface Violation {
  readonly path: string
  readonly line: number
  readonly rule: string
  /** What is wrong and what to do about it. */
  readonly what: string
}

/** Something wrong at an offset of a file. */
export interface Finding {
  readonly at: number
  readonly what: string
}

/** One rule. It sees one file at a time and knows nothing of the others. */
export interface Rule {
  readonly name: string
  check(file: SourceFile): readonly Finding[]
}

export function parseSource(path: string, text: string): SourceFile {
  const lang = path.endsWith('.tsx') ? 'tsx' : 'ts'
  const { program, comments, errors } = parseSync(path, text, { lang, sourceType: 'module' })
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  const lineStarts = findLineStarts(text)
  return {
    path,
    text,
    lines,
    comments,
    syntaxErrors: errors,
    lineOf: (offset) => lineStarts.findLastIndex((start) => start <= offset) + 1,
    walk: (visitor) => new Visitor(visitor).visit(program),
  }
}

function findLineStarts(text: string): readonly number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path)
}
