/**
 * Reads engagement curves: one post a line, TS1…TS144 its engagements after 20, 40, … minutes,
 * IMP1…IMP144 its impressions where there are any. −1, or nothing, is "not observed".
 */

import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Sample } from '../../src/core/sample.ts'
import { minuteMs } from '../../src/core/duration.ts'

export const slices = 144
export const sliceMs = 20 * minuteMs

/** One post of the file, published at 0. A slice that was not observed is null. */
export interface RecordedPost {
  readonly samples: readonly (Sample | null)[]
}

export interface DataSet {
  readonly name: string
  /** In the order of the file. */
  readonly posts: readonly RecordedPost[]
}

/** Every .csv and .csv.gz file of the folder, by name. */
export function readFolder(folder: string): readonly DataSet[] {
  const files = readdirSync(folder).filter((name) => /\.csv(\.gz)?$/.test(name))
  return files.toSorted().map((name) => {
    const bytes = readFileSync(join(folder, name))
    const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
    return { name: name.replace(/\.csv(\.gz)?$/, ''), posts: parsePosts(text, name) }
  })
}

export function parsePosts(text: string, name: string): readonly RecordedPost[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '')
  const header = head.split(',').map((cell) => cell.trim().replaceAll('"', ''))
  const counts = columnsOf(header, 'TS')
  const impressions = columnsOf(header, 'IMP')
  if (counts.every((column) => column < 0)) {
    throw new Error(`${name} has no column TS1…TS${slices}: it is not a file of curves`)
  }
  return lines.map((line, index) => {
    const cells = line.split(',')
    const where = `${name}, line ${index + 2}`
    return {
      samples: counts.map((column, slice) => {
        const engagements = countIn(cells, column, where)
        if (engagements === null) return null
        const shown = countIn(cells, impressions[slice] as number, where)
        return { at: (slice + 1) * sliceMs, engagements, impressions: shown }
      }),
    }
  })
}

function columnsOf(header: readonly string[], prefix: string): readonly number[] {
  return Array.from({ length: slices }, (_, slice) => header.indexOf(`${prefix}${slice + 1}`))
}

function countIn(cells: readonly string[], column: number, where: string): number | null {
  const cell = column < 0 ? '' : (cells[column] ?? '').trim()
  if (cell === '') return null
  const count = Number(cell)
  if (Number.isNaN(count)) throw new Error(`${where}: ${cell} is not a count`)
  return count < 0 ? null : count
}
