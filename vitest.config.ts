import { accessSync, constants } from 'node:fs'
import { tmpdir } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{src,scripts,sim,test,web}/**/*.test.ts'],
    globalSetup: 'test/support/postgres-broker.ts',
    testTimeout: 60_000,
    // Thousands of small files are flushed to disk one by one; in memory that takes no time.
    env: { TMPDIR: scratchFolder() },
  },
})

function scratchFolder(): string {
  try {
    accessSync('/dev/shm', constants.W_OK)
    return '/dev/shm'
  } catch {
    return tmpdir()
  }
}
