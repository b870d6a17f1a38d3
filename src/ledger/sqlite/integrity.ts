/** Owns the thorough check of a file, for people and for scripts. It takes time on a large one. */

import { LedgerError } from '../ledger-error.ts'
import { Connection } from './connection.ts'
import { scanWal } from './wal-scan.ts'

/** What is wrong with the file, in sentences for people; nothing where it is sound. */
export function findDamage(path: string, busyTimeoutMs: number): readonly string[] {
  const log = scanWal(`${path}-wal`)
  const inLog = log.kind === 'broken' ? [`The log is damaged: ${log.what}`] : []
  // A connection of its own reads the disk and not what another one has in memory.
  const connection = new Connection(path, { readOnly: true, timeout: busyTimeoutMs })
  try {
    return [...inLog, ...connection.snapshot(() => findInFile(connection))]
  } catch (error) {
    if (error instanceof LedgerError && error.kind === 'damaged') return [...inLog, error.message]
    throw error
  } finally {
    connection.close()
  }
}

function findInFile(connection: Connection): readonly string[] {
  const pages = connection
    .all('PRAGMA integrity_check')
    .map(([text]) => String(text))
    .filter((text) => text !== 'ok')
  const references = connection
    .all('PRAGMA foreign_key_check')
    .map((values) => values.map(String))
    .map(([table, row, parent]) => `Row ${row} of ${table} belongs to none of ${parent}`)
  return [...pages, ...references]
}
