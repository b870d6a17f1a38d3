/** Reads an event stream message by message, and moves the clock while it waits for one. */

import { secondMs } from '../../src/core/duration.ts'
import type { VirtualClock } from '../../src/testing/platform/virtual-clock.ts'
import { drained } from '../builders/engine.ts'

export interface Message {
  readonly event: string
  readonly id: string
  readonly data: unknown
}

const mostWaits = 100

export class EventReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>
  readonly #clock: VirtualClock
  readonly #decoder = new TextDecoder()
  #text = ''
  #pending: Promise<boolean> | null = null

  constructor(response: Response, clock: VirtualClock) {
    if (response.body === null) throw new Error('There is no body')
    this.#reader = response.body.getReader()
    this.#clock = clock
  }

  /** The next message; signs of life are passed over. */
  async next(): Promise<Message> {
    for (;;) {
      const block = await this.#block()
      if (!block.startsWith(':')) return parse(block)
    }
  }

  async nextComment(): Promise<string> {
    for (;;) {
      const block = await this.#block(false)
      if (block.startsWith(':')) return block
    }
  }

  async isOver(): Promise<boolean> {
    return !(await this.#more())
  }

  async close(): Promise<void> {
    await this.#reader.cancel()
  }

  async #block(movesClock = true): Promise<string> {
    for (let waits = 0; waits < mostWaits; waits += 1) {
      const end = this.#text.indexOf('\n\n')
      if (end >= 0) {
        const block = this.#text.slice(0, end)
        this.#text = this.#text.slice(end + 2)
        return block
      }
      const arrived = this.#more()
      if (movesClock) await this.#waitFor(arrived)
      else await arrived
    }
    throw new Error('No message came')
  }

  /** What is new is looked for after a while, so a while has to pass. */
  async #waitFor(arrived: Promise<boolean>): Promise<void> {
    const progress = { isDone: false }
    void arrived.then(() => (progress.isDone = true))
    for (let waits = 0; waits < mostWaits && !progress.isDone; waits += 1) {
      await drained()
      if (!progress.isDone) await this.#clock.advance(secondMs / 10)
    }
  }

  #more(): Promise<boolean> {
    this.#pending ??= this.#reader
      .read()
      .then(({ done, value }) => {
        this.#text += this.#decoder.decode(value, { stream: true })
        return !done
      })
      .finally(() => (this.#pending = null))
    return this.#pending
  }
}

function parse(block: string): Message {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)] as const
    }),
  )
  const data: unknown = JSON.parse(fields.get('data') ?? 'null')
  return { event: fields.get('event') ?? '', id: fields.get('id') ?? '', data }
}
