/** The command `worker`: the engine alone, as one of several on one ledger. */

import type { Command } from 'commander'
import { dayMs } from '../../core/duration.ts'
import { addCommand } from '../call.ts'
import type { Call } from '../call.ts'
import { engineOptionsOf } from '../engine-options.ts'
import { openInstallation } from '../installation.ts'
import { createLog } from '../log.ts'
import { interrupted, startWorker } from '../running.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'worker',
    summary: 'Run the engine until it is stopped. Any number may share one ledger.',
    shape: (command) => command.option('--concurrency <count>', 'accounts served at once'),
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
  log.info({ concurrency: config.concurrency }, 'Working')
  try {
    const signal = await Promise.race([interrupted(), worker.done])
    log.info({ signal }, 'Stopping; what is under way is finished first')
  } finally {
    await worker.stop()
  }
}
