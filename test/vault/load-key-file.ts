/** Loads the key file that its argument names, as a server does on its start; prints the key id. */

import { loadKeys } from '../../src/vault/load-keys.ts'

const { ring, origin } = loadKeys({ env: {}, keyFile: process.argv[2] ?? null })
process.stdout.write(JSON.stringify({ id: ring.current.id, origin }))
