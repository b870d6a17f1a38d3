/** Finds the built dashboard: beside the compiled program, or where the sources build it to. */

import { existsSync } from 'node:fs'
import { join } from 'node:path'

export function findWebFolder(): string | null {
  const places = [
    join(import.meta.dirname, '..', 'web'),
    join(import.meta.dirname, '..', '..', 'dist', 'web'),
  ]
  return places.find((place) => existsSync(join(place, 'index.html'))) ?? null
}
