/** Makes folders that are gone when the tests of a file are over. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

const made: string[] = []

afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-server-'))
  made.push(folder)
  return folder
}
