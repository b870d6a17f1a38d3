/** Builds the dashboard into dist/web, where the server serves it from. */

import { join } from 'node:path'
import { build } from 'vite'

const configFile = join(import.meta.dirname, '..', 'web', 'vite.config.ts')

export async function buildWeb(logLevel: 'info' | 'warn' = 'info'): Promise<void> {
  await build({ configFile, logLevel })
}

if (import.meta.main) await buildWeb()
