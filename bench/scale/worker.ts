/** One worker process of the measurement: works until it is told to stop, and says how it went. */

import { createDistributedEngine } from '../../src/engine/delivery/distributed-engine.ts'
import { openQueue } from '../../src/engine/delivery/queue.ts'
import { openSharedLedger } from '../../src/ledger/open-ledger.ts'
import { systemClock, systemRandom } from '../../src/system.ts'
import { connectStill, stillContent, StillNetwork } from '../../test/builders/still-network.ts'

export interface WorkerOrder {
  readonly connectionString: string
  readonly engagements: number
  readonly concurrency: number
}

export interface WorkerEnd {
  readonly reads: number
  readonly writes: number
  readonly peakBytes: number
  readonly problems: number
}

const { connectionString, engagements, concurrency } = JSON.parse(
  process.argv[2] ?? '{}',
) as WorkerOrder
const queue = await openQueue({ connectionString, connections: 2 })
const shared = await openSharedLedger({ connectionString, jobWriter: queue.writer, poolSize: 6 })
const network = new StillNetwork(() => systemClock.now())
let problems = 0
const engine = createDistributedEngine({
  ...shared,
  queue,
  platforms: [connectStill(network, engagements)],
  clock: systemClock,
  random: systemRandom,
  content: stillContent,
  concurrency,
  host: 'bench',
  version: 'bench',
  onProblem: ({ work, error }) => {
    problems += 1
    console.error(work, error)
  },
})
let peakBytes = 0
const watching = setInterval(() => {
  peakBytes = Math.max(peakBytes, process.memoryUsage.rss())
}, 200)

async function stop(): Promise<void> {
  await engine.stop()
  clearInterval(watching)
  const end: WorkerEnd = { reads: network.reads, writes: network.writes.size, peakBytes, problems }
  process.send?.(end)
  await queue[Symbol.asyncDispose]()
  await shared.ledger[Symbol.asyncDispose]()
  process.disconnect()
}

process.on('message', (order) => {
  if (order === 'start') void engine.start()
  else void stop()
})
process.send?.('ready')
