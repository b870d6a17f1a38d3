/** Live tests need servers that are installed apart, so they run apart. */

import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..', '..'),
    include: ['test/live/**/*.live.ts'],
    // Each case waits for deadlines of real calls, several times over.
    testTimeout: 600_000,
    hookTimeout: 120_000,
    // They mostly wait. With more servers at once, deadlines pass on a small machine.
    maxWorkers: 2,
  },
})
