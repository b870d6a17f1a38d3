/** Says on what and when something was measured: figures of another machine are other figures. */

import { statfsSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

export interface Machine {
  readonly date: string
  readonly processor: string
  readonly cores: number
  readonly memoryBytes: number
  readonly system: string
  readonly node: string
  /** How many processes wanted to run in the last minute. Above the cores, figures suffer. */
  readonly load: number
  /** False where the folder is in memory: then nothing waits for a disk. */
  readonly isOnDisk: boolean
}

export function describeMachine(folder: string): Machine {
  return {
    date: new Date(Date.now()).toISOString(),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    memoryBytes: totalmem(),
    system: `${type()} ${release()}`,
    node: process.version,
    load: loadavg()[0] ?? 0,
    isOnDisk: !inMemoryTypes.has(statfsSync(folder).type),
  }
}

/** tmpfs and ramfs, as Linux numbers them. */
const inMemoryTypes = new Set([0x01021994, 0x858458f6])
