/** Starts several processes at once on a machine without a key file: all must use the same key. */

import { execFile } from 'node:child_process'
import { mkdtempDisposableSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = promisify(execFile)
const program = join(import.meta.dirname, 'vault/load-key-file.ts')

test('processes that start together agree on one key', async () => {
  using directory = mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))
  const path = join(directory.path, 'state/keys')
  const starts = Array.from({ length: 6 }, () => run(process.execPath, [program, path]))
  const answers = (await Promise.all(starts)).map(
    ({ stdout }) => JSON.parse(stdout) as { id: string; origin: string },
  )
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  expect(answers.map(({ origin }) => origin)).toContain('made')
  expect(readdirSync(join(directory.path, 'state'))).toEqual(['keys'])
})
