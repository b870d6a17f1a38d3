/** Builds the dashboard into a folder of its own, so that tests never look at an old one. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'

export interface BuiltWeb extends Disposable {
  readonly folder: string
}

export async function buildWeb(): Promise<BuiltWeb> {
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-web-'))
  await build({
    configFile: join(import.meta.dirname, '..', '..', 'web', 'vite.config.ts'),
    logLevel: 'error',
    mode: 'production',
    build: { outDir: folder, emptyOutDir: true },
  })
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}
