/** The command `demo`: everything, on made-up networks and a clock that runs fast. */

import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { findPlaces } from '../../config/places.ts'
import { dayMs } from '../../core/duration.ts'
import { openDemo } from '../../demo/demo.ts'
import type { Demo } from '../../demo/demo.ts'
import { createConnectorTools } from '../../platform/connectors.ts'
import { listen } from '../../server/listen.ts'
import { createServer } from '../../server/server.ts'
import { systemClock, systemRandom } from '../../system.ts'
import { Vault, VaultKey } from '../../vault/index.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { createLog } from '../log.ts'
import { ProgressBar } from '../progress-bar.ts'
import { interrupted, startWorker } from '../running.ts'
import type { Worker } from '../running.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'
import { packageVersion } from '../version.ts'
import { findWebFolder } from '../web-folder.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'demo',
    summary:
      'Look around without an account: the real engine and dashboard on made-up networks, where ' +
      'an hour takes a minute. Started again, it goes on where it was.',
    shape: (command) =>
      command
        .option('--port <port>', 'any that is free unless said otherwise', '0')
        .option('--seed <words>', 'another seed makes another past', 'second wind')
        .option('--speed <times>', 'how much faster than real time', '60')
        .option('--folder <folder>', 'where it is kept')
        .option('--fresh', 'begin anew')
        .option('--no-open', 'do not open a browser'),
    run: demo,
  })
}

async function demo(call: Call): Promise<void> {
  const { folder, port, speed } = readOptions(call)
  if (call.options['fresh'] === true) rmSync(folder, { recursive: true, force: true })
  const bar = new ProgressBar(call.terminal.stderr, 'Six weeks go by')
  const onProgress = (done: number, all: number) => bar.show(done, all)
  const seed = optionText(call, 'seed') ?? ''
  await using made = await openDemo({ folder, seed, real: systemClock, speed, onProgress })
  bar.clear()
  const log = createLog(call.terminal, 'warn')
  const worker = await startWorker({ engine: made.engineOptions, keepSamplesMs: 365 * dayMs, log })
  try {
    await using server = openServer(made, worker, log)
    await using listening = await listen(server, { port, clock: systemClock })
    server.start()
    const url = await server.signInLink(listening.url)
    call.out.show({ url, folder, isContinued: made.isContinued }, () => welcome(url, speed))
    if (call.options['open'] !== false && call.terminal.stdout.isTTY === true) openBrowser(url)
    await Promise.race([interrupted(), worker.done])
    call.out.say('Stopped. secondwind demo goes on from here.')
  } finally {
    await worker.stop()
  }
}

function readOptions(call: Call) {
  const number = (name: string) => {
    const value = Number(optionText(call, name))
    if (!Number.isFinite(value) || value < 0) throw new UsageError(`--${name} must be a number.`)
    return value
  }
  const { env } = call.terminal
  const { dataFolder } = findPlaces(env, env['HOME'] ?? '.')
  return {
    folder: optionText(call, 'folder') ?? join(dataFolder, 'demo'),
    port: number('port'),
    speed: Math.max(1, number('speed')),
  }
}

type Parts = Parameters<typeof createServer>[0]

function openServer({ ledger, networks }: Demo, worker: Worker, log: Parts['log']) {
  return createServer({
    ledger,
    ledgerKind: 'sqlite',
    vault: new Vault({ current: VaultKey.parse(VaultKey.make(), 'key'), older: [] }),
    tools: createConnectorTools({ allowHosts: [], clock: systemClock, random: systemRandom }),
    // Nobody connects a real account to a demo by mistake.
    connectors: [],
    platforms: networks.map(({ platform }) => platform),
    clock: systemClock,
    random: systemRandom,
    engineHealth: () => worker.health(),
    mode: 'demo',
    log,
    version: packageVersion(),
    webFolder: findWebFolder(),
  })
}

function welcome(url: string, speed: number): string {
  return [
    `The demo runs, ${speed} times as fast as real time. Open it:`,
    '',
    `  ${url}`,
    '',
    'Ctrl-C stops it. Everything in it is made up; nothing leaves this machine.',
  ].join('\n')
}

function openBrowser(url: string): void {
  const [program, ...words] =
    process.platform === 'darwin'
      ? ['open', url]
      : process.platform === 'win32'
        ? ['cmd', '/c', 'start', '', url]
        : ['xdg-open', url]
  // Where there is no browser the link was printed.
  spawn(program, words, { detached: true, stdio: 'ignore' })
    .on('error', () => {})
    .unref()
}
