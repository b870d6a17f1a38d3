/** Owns the bar that shows how far a long run is. It is drawn on a terminal and nowhere else. */

import { formatPercent } from '../core/wording.ts'
import type { Stream } from './terminal.ts'

const width = 30

export class ProgressBar {
  readonly #stream: Stream
  readonly #label: string
  #drawn = ''

  constructor(stream: Stream, label: string) {
    this.#stream = stream
    this.#label = label
  }

  show(done: number, all: number): void {
    if (this.#stream.isTTY !== true) return
    const share = all === 0 ? 1 : done / all
    const filled = Math.round(share * width)
    const bar = '█'.repeat(filled) + '░'.repeat(width - filled)
    const line = `${this.#label} ${bar} ${formatPercent(share)}`
    if (line === this.#drawn) return
    this.#stream.write(`\r\u001b[K${line}`)
    this.#drawn = line
  }

  /** Leaves no trace of it. */
  clear(): void {
    if (this.#drawn !== '') this.#stream.write('\r\u001b[K')
    this.#drawn = ''
  }
}
