/** Owns the whole network for one test file, on a Postgres of its own. */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { startPostgres } from '../../support/postgres.ts'
import { openAccount } from '../bluesky/dev-network.ts'
import type { DevAccount } from '../bluesky/dev-network.ts'

export interface AppNetwork extends AsyncDisposable {
  readonly url: string
  readonly directory: string
  openAccount(handle: string): Promise<DevAccount>
  /** Until the index shows all that was written. */
  settle(): Promise<void>
}

interface Started {
  readonly url: string
  readonly directory: string
}

export async function startAppNetwork(): Promise<AppNetwork> {
  const postgres = await startPostgres()
  const child = fork(join(import.meta.dirname, 'app-server.ts'), {
    env: { ...process.env, APP_DATABASE_URL: await postgres.freshDatabase() },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const ended = once(child, 'exit')
  const answer = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), ended])) as [unknown]
    if (child.exitCode !== null) throw new Error(`The network ended with ${child.exitCode}`)
    return message
  }
  const { url, directory } = (await answer()) as Started
  return {
    url,
    directory,
    openAccount: (handle) => openAccount(url, handle),
    settle: async () => {
      child.send({ kind: 'settle' })
      await answer()
    },
    [Symbol.asyncDispose]: async () => {
      child.disconnect()
      await ended
      await postgres.stop()
    },
  }
}
