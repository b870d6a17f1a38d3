/** The command `serve`: the API and the dashboard, and the engine unless it runs elsewhere. */

import type { Command } from 'commander'
import { dayMs } from '../../core/duration.ts'
import { listen } from '../../server/listen.ts'
import { createServer } from '../../server/server.ts'
import type { Server } from '../../server/server.ts'
import { systemClock, systemRandom } from '../../system.ts'
import { addCommand } from '../call.ts'
import type { Call } from '../call.ts'
import { engineOptionsOf } from '../engine-options.ts'
import { isPostgres, openInstallation } from '../installation.ts'
import type { Installation } from '../installation.ts'
import { createLog } from '../log.ts'
import { interrupted, startWorker } from '../running.ts'
import type { Worker } from '../running.ts'
import type { Terminal } from '../terminal.ts'
import { packageVersion } from '../version.ts'
import { findWebFolder } from '../web-folder.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'serve',
    summary: 'Run the engine, the API and the dashboard until it is stopped.',
    shape: (command) =>
      command
        .option('--no-worker', 'the API and the dashboard alone; workers run elsewhere')
        .option('--host <address>', 'where to bind; 127.0.0.1 unless said otherwise')
        .option('--port <port>', '8737 unless said otherwise; 0 takes any that is free')
        .option('--public-url <address>', 'under which people reach it, behind a proxy')
        .option('--concurrency <count>', 'accounts served at once'),
    run: serve,
  })
}

async function serve(call: Call): Promise<void> {
  const works = call.options['worker'] !== false
  await using installation = await openInstallation(call, works ? 'worker' : 'teller')
  const { config } = installation
  const log = createLog(call.terminal, config.logLevel)
  const worker = works
    ? await startWorker({
        engine: await engineOptionsOf(installation),
        delivery: installation.delivery,
        concurrency: config.concurrency,
        keepSamplesMs: config.keepSamplesDays * dayMs,
        log,
      })
    : null
  try {
    await using server = await openServer(installation, worker, log)
    if (config.password !== null) await server.setFirstPassword(config.password)
    const { host, port } = config
    await using listening = await listen(server, { host, port, clock: systemClock })
    server.start()
    await greet(call, server, config.publicUrl ?? listening.url)
    const signal = await Promise.race([interrupted(), ...(worker === null ? [] : [worker.done])])
    log.info({ signal }, 'Stopping; what is under way is finished first')
  } finally {
    await worker?.stop()
  }
}

type Parts = Parameters<typeof createServer>[0]

async function openServer(
  installation: Installation,
  worker: Worker | null,
  log: Parts['log'],
): Promise<Server> {
  const { config, ledger } = installation
  const { publicUrl, database, hosts, trustProxy } = config
  return createServer({
    ledger,
    ledgerKind: isPostgres(database) ? 'postgres' : 'sqlite',
    vault: installation.vault,
    ...(await installation.networks()),
    clock: systemClock,
    random: systemRandom,
    engineHealth: () => worker?.health() ?? null,
    mode: 'live',
    log,
    version: packageVersion(),
    webFolder: findWebFolder(),
    settings: { publicUrl, hosts, trustProxy },
  })
}

async function greet({ out }: Call, server: Server, url: string): Promise<void> {
  const link = await server.setUpLink(url)
  out.show({ url, setUpLink: link }, () =>
    link === null
      ? `Second Wind is at ${url}`
      : `Second Wind is at ${url}\nSet it up once, with this link:\n\n  ${link}\n`,
  )
}
