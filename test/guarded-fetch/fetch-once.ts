/** Fetches one URL with our fetch (`guarded`) or with Node's (`plain`), and prints the status. */

import { createGuardedFetch } from '../../src/platform/guarded-fetch.ts'
import { systemClock } from '../../src/system.ts'

const [, , how, address = ''] = process.argv
const { host } = new URL(address)
const guardedFetch = createGuardedFetch({ allowHosts: [host], clock: systemClock })
try {
  const { status } = how === 'guarded' ? await guardedFetch(address) : await fetch(address)
  process.stdout.write(String(status))
} catch {
  process.stdout.write('failed')
}
