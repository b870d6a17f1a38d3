/**
 * Works on the ledger that its argument names as an engine does for a while: looks at what is due,
 * reads what decisions need, and records new readings. Prints how much memory that took.
 */

import { everythingSupported } from '../../src/core/capabilities.ts'
import type { PostId } from '../../src/core/ids.ts'
import { openSqliteStore } from '../../src/ledger/sqlite/sqlite-store.ts'
import { createLedger } from '../../src/ledger/stored-ledger.ts'
import { systemClock } from '../../src/system.ts'
import type { MemoryFigures } from './size.ts'
import { benchPolicy } from './workload.ts'

const turns = 40
const postsPerTurn = 250

const emptyBytes = process.memoryUsage().rss
const path = process.argv[2] ?? ''
await using ledger = createLedger(await openSqliteStore({ path, clock: systemClock }))
const openedBytes = process.memoryUsage().rss
let worked = 0
for (let turn = 0; turn < turns; turn += 1) {
  const ids = (await ledger.due('check', postsPerTurn)) as readonly PostId[]
  const now = await ledger.now()
  for (const id of ids) await ledger.decisionInput(id, benchPolicy, everythingSupported)
  const sample = { at: now, impressions: 3000, engagements: 9 }
  worked += await ledger.recordSamples(ids.map((postId) => ({ postId, sample })))
  await ledger.setNextCheckAt(ids, now + 3_600_000)
}
if (worked === 0) throw new Error('Nothing was due')
// Kibibytes, also where the system counts in pages.
const mostBytes = process.resourceUsage().maxRSS * 1024
process.stdout.write(JSON.stringify({ emptyBytes, openedBytes, mostBytes } satisfies MemoryFigures))
