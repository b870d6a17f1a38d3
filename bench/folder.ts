/** Owns where a measurement keeps its data: on a disk, and gone afterwards. */

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { resolve } from 'node:path'

/** Also gone where the measurement is broken off, as it can hold gigabytes. */
export function makeFolder(given: string): string {
  mkdirSync(given, { recursive: true })
  const folder = mkdtempSync(resolve(given, 'run-'))
  // Postgres may run as a user of its own.
  chmodSync(folder, 0o755)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      rmSync(folder, { recursive: true, force: true })
      process.exit(1)
    })
  }
  // The server that is started for Postgres keeps its data where temporary files are.
  process.env['TMPDIR'] = folder
  return folder
}
