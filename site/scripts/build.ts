/** Builds the site: makes its pages, has Astro build them, and looks at every link. */

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { checkLinks } from './check-links.ts'
import { makePages } from './make-pages.ts'

const site = join(import.meta.dirname, '..')

const pages = makePages()
console.log(`${pages} pages are made from the documents.`)
const astro = join(site, 'node_modules', '.bin', 'astro')
const { status, error } = spawnSync(astro, ['build'], {
  cwd: site,
  stdio: 'inherit',
  // A build tells nobody that it happened.
  env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
})
if (error !== undefined) console.error(`${error.message}; run npm ci in ${site} first`)
process.exitCode = status ?? 1
if (process.exitCode === 0) process.exitCode = checkLinks(join(site, 'dist'))
