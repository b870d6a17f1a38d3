/** Runs the demo from the sources, building the dashboard first where that was not done yet. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from './build-web.ts'

const root = join(import.meta.dirname, '..')
const built = join(root, 'dist', 'web', 'index.html')

/** When anything of the dashboard was last changed. */
function changedAtMs(folder: string): number {
  let newest = 0
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    newest = Math.max(newest, statSync(join(entry.parentPath, entry.name)).mtimeMs)
  }
  return newest
}

if (!existsSync(built) || statSync(built).mtimeMs < changedAtMs(join(root, 'web'))) {
  console.error('Building the dashboard…')
  await buildWeb('warn')
}
const words = process.argv.slice(2)
const program = join(root, 'src', 'cli', 'main.ts')
// Ctrl-C reaches the demo as well; it stops by itself, and this waits for it.
process.on('SIGINT', () => {})
const { status } = spawnSync(process.execPath, [program, 'demo', ...words], { stdio: 'inherit' })
process.exitCode = status ?? 1
