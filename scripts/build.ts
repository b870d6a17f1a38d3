/** Builds the package into dist, and fails where an entry point in package.json leads nowhere. */

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { buildWeb } from './build-web.ts'

const root = join(import.meta.dirname, '..')

/** An entry point is a path, or a path for each condition under which it is imported. */
const manifest = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.record(z.string(), z.string())])),
})

rmSync(join(root, 'dist'), { recursive: true, force: true })
process.exitCode = compile()
if (process.exitCode === 0) await buildWeb('warn')
if (process.exitCode === 0) {
  for (const path of missingEntries()) {
    console.error(`package.json exports ${path}, which the build did not make; add its source`)
    process.exitCode = 1
  }
}

function compile(): number {
  const typescript = fileURLToPath(import.meta.resolve('typescript/package.json'))
  const command = [join(typescript, '..', 'bin', 'tsc'), '-p', 'tsconfig.build.json']
  return spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' }).status ?? 1
}

function missingEntries(): readonly string[] {
  const text = readFileSync(join(root, 'package.json'), 'utf8')
  return Object.values(manifest.parse(JSON.parse(text)).exports)
    .flatMap((entry) => (typeof entry === 'string' ? [entry] : Object.values(entry)))
    .filter((path) => !existsSync(join(root, path)))
}
