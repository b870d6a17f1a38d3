/** Owns what strikes: workers, the server and the network between them, one blow at a time. */

import { secondMs } from '../../src/core/duration.ts'
import type { Stream } from '../../src/platform/simulated/index.ts'
import { systemClock } from '../../src/system.ts'
import type { TestPostgres } from '../support/postgres.ts'
import type { Fleet } from './fleet.ts'
import type { Owner } from './owner.ts'
import type { PostgresProxy } from './postgres-proxy.ts'

export type Blow =
  | 'kill_worker'
  | 'stop_worker'
  | 'restart_postgres'
  | 'kill_postgres'
  | 'cut'
  | 'stall'
  | 'pause'
  | 'resume'
  | 'none'

/** Each of them at least once, in an order of the seed's. */
const deck: readonly Blow[] = [
  'kill_worker',
  'kill_worker',
  'kill_worker',
  'stop_worker',
  'restart_postgres',
  'kill_postgres',
  'cut',
  'stall',
  'stall',
  'pause',
  'pause',
  'resume',
]

export function shuffledBlows(random: Stream): readonly Blow[] {
  return deck
    .map((blow) => ({ blow, place: random.fraction() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ blow }) => blow)
}

export interface StormParts {
  readonly fleet: Fleet
  readonly proxy: PostgresProxy
  readonly server: TestPostgres
  readonly owner: Owner
  readonly random: Stream
}

/** A stall may outlast a send and its claim, so that answers come when they are worth nothing. */
const lengthsMs = { cut: [200, 1 * secondMs], stall: [300, 3 * secondMs] } as const

export async function strike(blow: Blow, parts: StormParts): Promise<void> {
  const { fleet, proxy, server, owner, random } = parts
  switch (blow) {
    case 'kill_worker':
      return fleet.replaceKilled(random.fraction())
    case 'stop_worker':
      return fleet.replaceStopped(random.fraction())
    case 'restart_postgres':
      return server.restart()
    case 'kill_postgres':
      await server.kill()
      return server.restart()
    case 'cut':
      proxy.cut()
      break
    case 'stall':
      proxy.stall()
      break
    case 'pause':
      return owner.pause()
    case 'resume':
      return owner.resumeAll()
    case 'none':
      return
  }
  const [shortest, longest] = lengthsMs[blow]
  // How long it lasts is part of the blow; nobody waits for anything by it.
  await systemClock.sleep(random.between(shortest, longest))
  proxy.heal()
}
