/**
 * Owns how the changes of a step are written: as one statement with a part for each kind of change.
 * Which kinds come together is given by the steps, so a connection prepares about a dozen texts.
 */

import type { NewEvent } from '../../core/events.ts'
import type { Instant } from '../../core/instant.ts'
import type { Changes } from '../store.ts'
import { assignments, columnList, marks, replacements, valuesOf } from './columns.ts'
import type { Table } from './columns.ts'
import type { Call, Operation } from './operation.ts'
import type { Value } from './pg.ts'
import {
  actionStateTable,
  actionTable,
  approvalTable,
  attemptResultTable,
  attemptTable,
  eventTable,
  incidentTable,
  measurementTable,
  postContentTable,
  postTable,
  verdictTable,
} from './tables.ts'

/** One kind of change: its tag in the statement's name, its text, and its values. */
interface Part {
  readonly tag: string
  /** The text, with parameters from `first` on. */
  readonly text: (s: string, first: number) => string
  readonly values: readonly Value[]
}

export interface WriteSettings {
  /** See events.ts. */
  readonly eventOffset: string
  /** The step's time, where it came from a given clock; the clock's mark follows it. */
  readonly mark: Instant | null
}

export function writeChanges(changes: Changes, settings: WriteSettings): readonly Call[] {
  const parts = [...partsOf(changes, settings.eventOffset)]
  if (parts.length === 0) return []
  if (settings.mark !== null) parts.push(clockMark(settings.mark))
  return [toCall(parts)]
}

/** Events that come with a change which is written otherwise. */
export function writeEvents(events: readonly NewEvent[], eventOffset: string): readonly Call[] {
  return events.length === 0 ? [] : [toCall([insertEvents(events, eventOffset)])]
}

const operations = new Map<string, Operation>()

function toCall(parts: readonly Part[]): Call {
  const name = `write_${parts.map(({ tag }) => tag).join('_')}`
  let operation = operations.get(name)
  if (operation === undefined) {
    const texts = parts.map(({ text, values }) => ({ text, width: values.length }))
    operation = { name, text: (s) => join(s, texts) }
    operations.set(name, operation)
  }
  return { operation, values: parts.flatMap(({ values }) => values) }
}

function join(s: string, parts: readonly { text: Part['text']; width: number }[]): string {
  let first = 1
  const texts = parts.map(({ text, width }) => {
    const written = text(s, first)
    first += width
    return written
  })
  const before = texts.slice(0, -1).map((text, index) => `part_${index} as (${text})`)
  return `${before.length > 0 ? `with ${before.join(', ')} ` : ''}${texts.at(-1)}`
}

function* partsOf(changes: Changes, eventOffset: string): Iterable<Part> {
  const { post, postContent, insertAction, updateAction, insertAttempt, updateAttempt } = changes
  if (post !== undefined) yield update('p', postTable, post.id, post)
  if (postContent !== undefined)
    yield update('pc', postContentTable, postContent.postId, postContent)
  if (insertAction !== undefined) yield insert('ai', actionTable, [insertAction])
  if (updateAction !== undefined)
    yield update('au', actionStateTable, updateAction.id, updateAction)
  if (insertAttempt !== undefined) yield insert('ti', attemptTable, [insertAttempt])
  if (updateAttempt !== undefined) {
    yield update('tu', attemptResultTable, updateAttempt.id, updateAttempt)
  }
  const { approval, incident, verdict, measurements = [], events = [] } = changes
  if (approval !== undefined) yield insert('o', approvalTable, [approval])
  if (incident !== undefined) yield insert('i', incidentTable, [incident], 'action_id')
  if (verdict !== undefined) yield insert('v', verdictTable, [verdict], 'post_id, at, policy')
  if (measurements.length > 0) {
    yield insert('m', measurementTable, measurements, 'post_id, horizon_ms')
  }
  if (events.length > 0) yield insertEvents(events, eventOffset)
}

function update<Row>(tag: string, table: Table<Row>, id: string, row: Row): Part {
  return {
    tag,
    text: (s, first) =>
      `update ${s}.${table.name} set ${assignments(table, first + 1)} where id = $${first}`,
    values: [id, ...valuesOf(table, row)],
  }
}

/** With a key, a row that is there already is replaced. */
function insert<Row>(tag: string, table: Table<Row>, rows: readonly Row[], key = ''): Part {
  const { length } = rows
  const conflict = key === '' ? '' : `on conflict (${key}) do update set ${replacements(table)}`
  return {
    tag: `${tag}${length}`,
    text: (s, first) => `insert into ${s}.${table.name} (${columnList(table)})
      values ${rowsOfMarks(table, length, first)} ${conflict}`,
    values: rows.flatMap((row) => valuesOf(table, row)),
  }
}

/** Each event keeps which transaction wrote it; see events.ts. */
function insertEvents(events: readonly NewEvent[], eventOffset: string): Part {
  const { length } = events
  return {
    tag: `e${length}`,
    text: (s, first) => {
      const txn = `pg_current_xact_id()::text::bigint + $${first}::bigint, `
      return `insert into ${s}.events (txn, ${columnList(eventTable)})
        values ${rowsOfMarks(eventTable, length, first + 1, txn)}`
    },
    values: [eventOffset, ...events.flatMap((event) => valuesOf(eventTable, event))],
  }
}

function rowsOfMarks(table: Table<unknown>, length: number, first: number, before = ''): string {
  const width = table.columns.length
  const rows = Array.from({ length }, (_, index) => marks(table, first + index * width))
  return rows.map((row) => `(${before}${row})`).join(', ')
}

/** Where the mark is as high already, its row is not touched and nobody waits for it. */
function clockMark(at: Instant): Part {
  return {
    tag: 'c',
    text: (s, first) => `update ${s}.ledger_state
      set clock_mark = $${first}::float8 where clock_mark < $${first}::float8`,
    values: [at],
  }
}
