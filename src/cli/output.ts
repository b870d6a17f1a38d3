/** Owns how a command speaks: data once, as a page for people or as JSON for programs. */

import { styleText } from 'node:util'
import type { Terminal } from './terminal.ts'

export type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red' | 'cyan'

const narrowest = 40
const usualWidth = 80

export class Output {
  readonly #terminal: Terminal
  readonly isJson: boolean
  readonly #isQuiet: boolean

  constructor(terminal: Terminal, isJson: boolean, isQuiet: boolean) {
    this.#terminal = terminal
    this.isJson = isJson
    this.#isQuiet = isQuiet
  }

  /** What was asked for. The page is made only where people read it. */
  show(value: unknown, page: () => string): void {
    const text = this.isJson ? JSON.stringify(value) : page()
    this.#terminal.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  }

  /** A word on the way. */
  say(text: string): void {
    if (!this.#isQuiet) this.#terminal.stderr.write(`${text}\n`)
  }

  get width(): number {
    return Math.max(narrowest, this.#terminal.stdout.columns ?? usualWidth)
  }

  /** Colour where the reader's terminal shows it, and the owner did not turn it off. */
  style(style: Style, text: string): string {
    const { env, stdout } = this.#terminal
    const isOff = env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== ''
    const isShown = stdout.isTTY === true && env['TERM'] !== 'dumb'
    return isOff || !isShown ? text : styleText(style, text, { validateStream: false })
  }
}
