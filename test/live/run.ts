/**
 * Runs the connectors against real servers on this machine, which it installs where they are
 * missing: `npm run test:live`, or with `-- --only nostr` for one network. `--short` leaves threads
 * out of what meets every fault: they take most of the time.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { shortForm } from './exactly-once/short-form.ts'
import { install, InstallError, networks } from './install.ts'
import type { Network } from './install.ts'

class UsageError extends Error {}

function wantedNetworks(only: readonly string[]): readonly Network[] {
  const unknown = only.find((name) => !networks.some((network) => network === name))
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown}: there is ${networks.join(', ')}`)
  }
  return only.length === 0 ? networks : networks.filter((network) => only.includes(network))
}

function readOptions() {
  try {
    const only = { type: 'string', multiple: true } as const
    const short = { type: 'boolean', default: false } as const
    return parseArgs({ options: { only, short } }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

async function runTests(wanted: readonly Network[], isShort: boolean): Promise<number> {
  const root = join(import.meta.dirname, '..', '..')
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
  const config = join(import.meta.dirname, 'vitest.config.ts')
  const files = wanted.map((network) => `test/live/${network}`)
  const child = spawn(process.execPath, [vitest, 'run', '--config', config, ...files], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, ...(isShort ? { [shortForm]: '1' } : {}) },
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 1
}

try {
  const { only = [], short } = readOptions()
  const wanted = wantedNetworks(only)
  await install(wanted, (text) => process.stdout.write(`${text}\n`))
  process.exitCode = await runTests(wanted, short)
} catch (error) {
  if (!(error instanceof InstallError) && !(error instanceof UsageError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
