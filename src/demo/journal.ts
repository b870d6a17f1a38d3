/**
 * Keeps what was written to the made-up network in a file, a line a write, so that the network is
 * the same when the demo is started again. A last line that was cut off was never applied.
 */

import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import type { ArrivedWrite } from '../platform/simulated/index.ts'

interface Entry {
  readonly network: string
  readonly write: ArrivedWrite
}

export class Journal {
  readonly #path: string
  readonly #entries: readonly Entry[]

  constructor(path: string) {
    this.#path = path
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
    const whole = lines.slice(0, -1)
    this.#entries = whole.map((line) => JSON.parse(line) as Entry)
    if (lines.at(-1) !== undefined && lines.at(-1) !== '') {
      writeFileSync(path, whole.map((line) => `${line}\n`).join(''))
    }
  }

  /** What was written in earlier lives. */
  of(network: string): readonly ArrivedWrite[] {
    return this.#entries.filter((entry) => entry.network === network).map(({ write }) => write)
  }

  append(network: string, write: ArrivedWrite): void {
    const entry: Entry = { network, write }
    appendFileSync(this.#path, `${JSON.stringify(entry)}\n`)
  }
}
