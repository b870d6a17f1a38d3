/** Several benchmarks write one document, and none of them touches what another wrote. */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { replaceSection, writeSection } from '../bench/report.ts'

const document = `# Benchmarks

By hand.

<!-- begin scale -->

old scale

<!-- end scale -->

Between.

<!-- begin peers -->

old peers

<!-- end peers -->

After.
`

test('only the named section is replaced', () => {
  const after = replaceSection(document, 'scale', '## Scale\n\n| $& | $1 |\n')
  expect(after).toBe(document.replace('old scale', () => '## Scale\n\n| $& | $1 |'))
})

test('writing the same again changes nothing', () => {
  expect(replaceSection(document, 'peers', 'old peers')).toBe(document)
})

test('a new section goes to the end', () => {
  const after = replaceSection(document, 'ledger', 'new')
  expect(after).toBe(`${document}\n<!-- begin ledger -->\n\nnew\n\n<!-- end ledger -->\n`)
  expect(replaceSection('', 'a', 'b')).toBe('<!-- begin a -->\n\nb\n\n<!-- end a -->\n')
})

test.each(['<!-- begin peers -->', '<!-- end peers -->'])(
  'without %s nothing is guessed',
  (mark) => {
    expect(() => replaceSection(document.replace(mark, ''), 'peers', 'new')).toThrow('is missing')
  },
)

test('a document that is not there yet is begun', () => {
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-report-'))
  try {
    const file = join(folder, 'benchmarks.md')
    writeSection('a', 'first', file)
    writeSection('b', 'second', file)
    writeSection('a', 'third', file)
    expect(readFileSync(file, 'utf8').match(/first|second|third/g)).toEqual(['third', 'second'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
