/** The command `worker`: the engine alone, as one of several on one ledger. */

import type { Command } from 'commander'
import { dayMs, minuteMs } from '../../core/duration.ts'
import { listenForHealth } from '../../server/worker-health.ts'
import { systemClock } from '../../system.ts'
import { addCommand } from '../call.ts'
import type { Call } from '../call.ts'
import { engineOptionsOf } from '../engine-options.ts'
import { openInstallation } from '../installation.ts'
import type { Installation } from '../installation.ts'
import { createLog } from '../log.ts'
import { interrupted, startWorker } from '../running.ts'
import type { Worker } from '../running.ts'
import type { Terminal } from '../terminal.ts'

/** A worker that has not come round for so long is stuck. */
const stuckAfterMs = 5 * minuteMs

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'worker',
    summary: 'Run the engine until it is stopped. Any number may share one ledger.',
    shape: (command) =>
      command
        .option('--concurrency <count>', 'accounts served at once; on Postgres, jobs')
        .option('--health-port <port>', 'answer /healthz and /readyz there')
        .option('--host <address>', 'where to bind for that; 127.0.0.1 unless said otherwise'),
    run: work,
  })
}

async function work(call: Call): Promise<void> {
  await using installation = await openInstallation(call, 'worker')
  const { config } = installation
  const log = createLog(call.terminal, config.logLevel)
  const worker = await startWorker({
    engine: await engineOptionsOf(installation),
    delivery: installation.delivery,
    concurrency: config.concurrency,
    keepSamplesMs: config.keepSamplesDays * dayMs,
    log,
  })
  log.info({ concurrency: config.concurrency }, await wordStart(installation))
  let health: AsyncDisposable | null = null
  try {
    health = await answerHealth(installation, worker)
    const signal = await Promise.race([interrupted(), worker.done])
    log.info({ signal }, 'Stopping; what is under way is finished first')
  } finally {
    await health?.[Symbol.asyncDispose]()
    await worker.stop()
  }
}

/** Someone who starts a worker first would wait for nothing. */
async function wordStart({ ledger }: Installation): Promise<string> {
  const accounts = await ledger.listAccounts()
  return accounts.some(({ status }) => status !== 'erased')
    ? 'Working'
    : 'Working, but there is no account yet: secondwind accounts add connects one'
}

/** Ready while its ledger answers and it does not stand still. */
async function answerHealth(
  { config, ledger }: Installation,
  worker: Worker,
): Promise<AsyncDisposable | null> {
  const { healthPort: port, host } = config
  if (port === null) return null
  const check = async () => {
    await ledger.now()
    const { lastTurnAt } = worker.health()
    return lastTurnAt !== null && systemClock.now() - lastTurnAt < stuckAfterMs
  }
  return listenForHealth({ host, port, check })
}
