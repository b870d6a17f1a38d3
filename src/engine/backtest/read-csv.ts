/**
 * Reads posts from CSV: one post a line, TS1…TS144 its engagements 20, 40, … minutes after its
 * publication, IMP1…IMP144 its impressions where there are any. −1, or nothing, is "not observed".
 * The columns `id` (or IDLink), `account` and `publishedAt` may be there as well. Without times
 * posts are taken to be 48 h apart, in the order of the file, each published at noon.
 */

import { horizonMs } from '../../core/age-rank/ages.ts'
import { minuteMs } from '../../core/duration.ts'
import { InputError, shown } from '../../core/input-error.ts'
import { parseInstant } from '../../core/instant.ts'
import type { RecordedPost } from './recorded-post.ts'

const slices = 144
const sliceMs = 20 * minuteMs
/** Most posts were observed all the time, and share this. */
const allAgesMs = Float64Array.from({ length: slices }, (_, slice) => (slice + 1) * sliceMs)
const firstNoon = Date.UTC(2026, 0, 1, 12)

interface Columns {
  readonly counts: readonly number[]
  /** Null where the file has none. */
  readonly impressions: readonly number[] | null
  readonly id: number
  readonly account: number
  readonly publishedAt: number
}

/** `name` is that of the file; it stands for platform and account where the file names none. */
export function readCsv(text: string, name: string): readonly RecordedPost[] {
  const lines = text.split('\n')
  const columns = columnsOf(cellsOf(lines[0] ?? ''), name)
  const posts: RecordedPost[] = []
  for (let number = 2; number <= lines.length; number += 1) {
    const line = lines[number - 1] as string
    if (line.trim() === '') continue
    posts.push(readLine(cellsOf(line), columns, { name, line: number, place: posts.length }))
  }
  if (posts.length === 0) throw new InputError(name, 'holds no post below its first line')
  return posts
}

function cellsOf(line: string): readonly string[] {
  return line.split(',')
}

function columnsOf(cells: readonly string[], name: string): Columns {
  const header = cells.map((cell) => cell.trim().replaceAll('"', ''))
  const find = (...names: readonly string[]) => header.findIndex((cell) => names.includes(cell))
  const numbered = (prefix: string) =>
    Array.from({ length: slices }, (_, slice) => find(`${prefix}${slice + 1}`))
  const counts = numbered('TS')
  const impressions = numbered('IMP')
  if (counts.every((column) => column < 0)) {
    throw new InputError(
      `${name}, line 1`,
      `names no column TS1…TS${slices}, so it is not a file of recorded posts; ` +
        'each line must be a post, with its counts every 20 minutes in these columns',
    )
  }
  return {
    counts,
    impressions: impressions.every((column) => column < 0) ? null : impressions,
    id: find('id', 'IDLink'),
    account: find('account'),
    publishedAt: find('publishedAt'),
  }
}

interface Where {
  readonly name: string
  readonly line: number
  /** How many posts came before it. */
  readonly place: number
}

function readLine(cells: readonly string[], columns: Columns, where: Where): RecordedPost {
  const text = (column: number) => (cells[column] ?? '').trim().replaceAll('"', '')
  const agesMs: number[] = []
  const engagements: number[] = []
  const impressions: number[] = []
  for (let slice = 0; slice < slices; slice += 1) {
    const count = countIn(cells, columns.counts[slice] as number, where, `TS${slice + 1}`)
    if (Number.isNaN(count)) continue
    agesMs.push((slice + 1) * sliceMs)
    engagements.push(count)
    if (columns.impressions === null) continue
    const shownColumn = columns.impressions[slice] as number
    impressions.push(countIn(cells, shownColumn, where, `IMP${slice + 1}`))
  }
  const account = text(columns.account)
  const at = text(columns.publishedAt)
  return {
    id: text(columns.id) || `line-${where.line}`,
    account: account === '' ? where.name : `${where.name}/${account}`,
    platform: where.name,
    publishedAt: at === '' ? firstNoon + where.place * horizonMs : instantIn(at, where),
    agesMs: agesMs.length === slices ? allAgesMs : Float64Array.from(agesMs),
    engagements: Float64Array.from(engagements),
    impressions: columns.impressions === null ? null : Float64Array.from(impressions),
    weight: 1,
    actedOn: false,
  }
}

/** NaN where it was not observed. */
function countIn(cells: readonly string[], column: number, where: Where, field: string): number {
  const cell = cells[column]
  if (cell === undefined || cell === '-1') return NaN
  const count = Number(cell)
  if (cell.trim() === '' || count === -1) return NaN
  if (count >= 0 && count < Infinity) return count
  const path = `${where.name}, line ${where.line}, ${field}`
  throw new InputError(path, `${shown(cell)} is not a count of at least 0, nor -1 for none`)
}

function instantIn(text: string, { name, line }: Where): number {
  return parseInstant(text, `${name}, line ${line}, publishedAt`)
}
