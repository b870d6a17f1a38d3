/** Owns the answers that were written by hand after the public documentation of X. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function fixture(name: string): string {
  const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'x')
  return readFileSync(join(folder, `${name}.json`), 'utf8')
}
