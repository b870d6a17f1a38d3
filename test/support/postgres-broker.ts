/**
 * Runs beside a vitest run and starts a Postgres for each test file that asks for one, so that a
 * run without such files starts none. A file's server ends when its line to the broker does.
 */

import { createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { connectOnce } from '../../src/ledger/postgres/pg.ts'
import { brokerVariable, createDatabase, overrideUrl, startPostgres } from './postgres.ts'

interface Source {
  freshDatabase(): Promise<string>
  stop(): Promise<void>
}

let listener: Server | null = null
const serving = new Set<Promise<void>>()
const lines = new Set<Socket>()

export async function setup(): Promise<void> {
  const server = createServer((line) => {
    const done = serve(line).finally(() => {
      serving.delete(done)
      lines.delete(line)
    })
    serving.add(done)
    lines.add(line)
  })
  listener = server
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  process.env[brokerVariable] = String((server.address() as AddressInfo).port)
}

export async function teardown(): Promise<void> {
  listener?.close()
  for (const line of lines) line.destroy()
  await Promise.all(serving)
}

async function serve(line: Socket): Promise<void> {
  const requests = createInterface({ input: line })
  line.on('error', () => {})
  // A line that breaks off never says that it ends.
  line.on('close', () => requests.close())
  let source: Source | null = null
  try {
    for await (const request of requests) {
      source ??= overrideUrl === undefined ? await startPostgres() : borrow(overrideUrl)
      line.write(request === 'fresh' ? `url ${await source.freshDatabase()}\n` : 'failed what?\n')
    }
  } catch (error) {
    if (!line.destroyed) line.end(`failed ${String(error).replaceAll('\n', ' ')}\n`)
  } finally {
    await source?.stop()
  }
}

/** On a server that is not ours, only what the tests added is removed. */
function borrow(url: string): Source {
  const added: string[] = []
  return {
    freshDatabase: async () => {
      const database = await createDatabase(url)
      added.push(new URL(database).pathname.slice(1))
      return database
    },
    stop: async () => {
      const client = await connectOnce(url)
      try {
        for (const name of added) {
          await client.query({ text: `drop database if exists ${name} with (force)` })
        }
      } finally {
        await client.end()
      }
    },
  }
}
