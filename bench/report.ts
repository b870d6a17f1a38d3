/**
 * Owns docs/benchmarks.md: what each benchmark found stands in a section of its own, which only
 * that benchmark writes. What people wrote around the sections stays as it is.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Machine } from './ledger/machine.ts'

const benchmarks = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url))

/** Puts the text in the place of that section's, or at the end where there is none yet. */
export function writeSection(name: string, markdown: string, file: string = benchmarks): void {
  const document = existsSync(file) ? readFileSync(file, 'utf8') : ''
  writeFileSync(file, replaceSection(document, name, markdown))
}

export function replaceSection(document: string, name: string, markdown: string): string {
  const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`]
  const section = `${begin}\n\n${markdown.trim()}\n\n${end}`
  const from = document.indexOf(begin)
  const to = document.indexOf(end)
  if (from === -1 && to === -1) return `${document.trimEnd()}\n\n${section}\n`.trimStart()
  // With one mark lost, what belongs to the section is anybody's guess.
  if (from === -1 || to < from) throw new Error(`One of "${begin}" and "${end}" is missing`)
  return document.slice(0, from) + section + document.slice(to + end.length)
}

/** The line that every section begins with. */
export function wordMachine({ date, processor, cores, memoryBytes, ...rest }: Machine): string {
  const gigabytes = Math.round(memoryBytes / 2 ** 30)
  const disk = rest.isOnDisk ? 'on a disk' : 'in memory, so that nothing waited for a disk'
  return (
    `Measured on ${date.slice(0, 10)}: ${processor}, ${cores} cores, ${gigabytes} GiB, ` +
    `${rest.system}, Node ${rest.node}, ${disk}; load ${rest.load.toFixed(1)} at the beginning.`
  )
}
