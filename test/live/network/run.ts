/**
 * Runs the engine on the whole network of Bluesky, with its index and its counters, on this
 * machine: `npm run test:live:network`. It takes minutes, and memory for several servers.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { install, InstallError } from '../install.ts'

async function runTests(): Promise<number> {
  const root = join(import.meta.dirname, '..', '..', '..')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const config = join(import.meta.dirname, '..', 'vitest.config.ts')
  const parts = [vitest, 'run', '--config', config, 'test/live/network']
  const child = spawn(process.execPath, parts, { cwd: root, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

try {
  await install(['bluesky'], (text) => process.stdout.write(`${text}\n`))
  process.exitCode = await runTests()
} catch (error) {
  if (!(error instanceof InstallError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
