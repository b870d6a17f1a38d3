/**
 * One worker process, put together as in production but for its clock, which is wrong, and its
 * times, which are short. Says what the ledger acknowledged to it. On SIGTERM it finishes what it
 * has begun and leaves; nothing else makes it end.
 */

import type { Clock } from '../../src/core/clock.ts'
import { createDistributedEngine } from '../../src/engine/delivery/distributed-engine.ts'
import { openQueue } from '../../src/engine/delivery/queue.ts'
import { LedgerError } from '../../src/ledger/ledger-error.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import { openSharedLedger } from '../../src/ledger/open-ledger.ts'
import { systemClock, systemRandom } from '../../src/system.ts'
import type { Acknowledgement } from '../torture/acknowledgement.ts'
import { readTask, say } from '../torture/worker-process.ts'
import { connectAll } from './connect-all.ts'
import { plantInLedger, plantInPlatform } from './planted-bugs.ts'
import type { BugName } from './planted-bugs.ts'
import { chaosSettings } from './world.ts'

export interface ChaosTask {
  readonly name: string
  /** By way of the proxy. */
  readonly connectionString: string
  /** Where each network is served. */
  readonly urls: Readonly<Record<string, string>>
  /** How far its clock is ahead. */
  readonly skewMs: number
  readonly bug: BugName | null
}

export type ChaosMessage =
  | { readonly say: 'ready'; readonly pid: number }
  | { readonly say: 'ack'; readonly ack: Acknowledgement }
  /** Something went wrong for another reason than that the ledger or the network is away. */
  | { readonly say: 'problem'; readonly what: string }

const task = readTask() as ChaosTask
const stopping = new AbortController()
process.once('SIGTERM', () => stopping.abort('stopped'))
const clock: Clock = { ...systemClock, now: () => systemClock.now() + task.skewMs }

const { connectionString } = task
// What the queue itself complains of is that Postgres is away; it tries again.
const queue = await untilThere(() => openQueue({ connectionString, onProblem: () => {} }))
const { ledger, handingOut } = await untilThere(() =>
  openSharedLedger({ connectionString, jobWriter: queue.writer, poolSize: 6 }),
)
tell({ say: 'ready', pid: process.pid })
await untilThere(work)
await queue[Symbol.asyncDispose]()
await ledger[Symbol.asyncDispose]()

/** A worker that is started while Postgres is away tries until it is there. */
async function untilThere<Result>(run: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (stopping.signal.aborted) process.exit(0)
      if (!isAway(error)) throw error
      await systemClock.sleep(100)
    }
  }
}

function mayPass({ kind }: LedgerError): boolean {
  return kind === 'unavailable' || kind === 'busy'
}

/** Whether it only says that Postgres is away. The queue passes on what the driver throws. */
function isAway(error: unknown): boolean {
  if (error instanceof LedgerError) return mayPass(error)
  return stackOf(error).includes('/node_modules/pg')
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

async function work(): Promise<void> {
  const engine = createDistributedEngine({
    ledger: plantInLedger(task.bug, withAcknowledgements(ledger)),
    handingOut,
    queue,
    platforms: connectAll(task.urls).map((platform) => plantInPlatform(task.bug, platform)),
    clock,
    random: systemRandom,
    content: {
      write: async ({ post, handle }) => {
        return { kind: 'text', text: `${handle} asks: ${post.text} And you?`, source: 'test' }
      },
    },
    settings: chaosSettings,
    concurrency: 4,
    host: task.name,
    version: '0.0.0',
    onProblem: ({ work: what, id, error }) => {
      if (!isAway(error)) tell({ say: 'problem', what: `${what} ${id}: ${stackOf(error)}` })
    },
  })
  const leave = () => void engine.stop()
  stopping.signal.addEventListener('abort', leave, { once: true })
  if (stopping.signal.aborted) return
  try {
    await engine.start()
  } finally {
    stopping.signal.removeEventListener('abort', leave)
  }
}

function tell(message: ChaosMessage): void {
  say(message)
}

/** What is said here is on its way to the test before the engine hears of it. */
function withAcknowledgements(real: Ledger): Ledger {
  const acknowledge = (ack: Acknowledgement) => tell({ say: 'ack', ack })
  return {
    ...real,
    claim: async (command) => {
      const result = await real.claim(command)
      if (result.kind === 'claimed') acknowledge({ kind: 'action', row: result.action })
      return result
    },
    beginAttempt: async (command) => {
      const result = await real.beginAttempt(command)
      if (result.kind === 'begun') acknowledge({ kind: 'attempt', attempt: result.attempt })
      return result
    },
    settle: async (command) => {
      const result = await real.settle(command)
      acknowledge({ kind: 'action', row: result.action })
      return result
    },
    reconcile: async (command) => {
      const result = await real.reconcile(command)
      acknowledge({ kind: 'action', row: result.action })
      return result
    },
  }
}
