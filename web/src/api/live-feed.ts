/**
 * Follows the ledger's events for as long as the page is open. After a break it goes on behind the
 * last event it saw, so that none is missed, and says whether it is connected.
 */

import { EventStreamReader } from './event-stream.ts'
import { apiRoot } from './request.ts'

export type Connection = 'connecting' | 'live' | 'lost' | 'signed_out'

export interface LiveFeedOptions {
  readonly onEvent: (type: string, data: string) => void
  readonly onConnection: (connection: Connection) => void
}

const firstDelayMs = 500
const longestDelayMs = 10_000
/** The server says something at least this often, or the connection is dead. */
const silenceMs = 45_000

export class LiveFeed {
  readonly #options: LiveFeedOptions
  readonly #stopping = new AbortController()
  #lastId: string | null = null
  #delayMs = firstDelayMs

  constructor(options: LiveFeedOptions) {
    this.#options = options
  }

  start(): void {
    void this.#follow()
  }

  stop(): void {
    this.#stopping.abort()
  }

  async #follow(): Promise<void> {
    while (!this.#stopping.signal.aborted) {
      const ended = await this.#readOnce().catch(() => 'lost' as const)
      if (this.#stopping.signal.aborted) return
      this.#options.onConnection(ended)
      if (ended === 'signed_out') return
      await pause(this.#delayMs, this.#stopping.signal)
      this.#delayMs = Math.min(this.#delayMs * 2, longestDelayMs)
    }
  }

  /** Reads until the connection ends, and says how it ended. */
  async #readOnce(): Promise<'lost' | 'signed_out'> {
    const attempt = new AbortController()
    const signal = AbortSignal.any([attempt.signal, this.#stopping.signal])
    const headers = new Headers({ accept: 'text/event-stream' })
    if (this.#lastId !== null) headers.set('last-event-id', this.#lastId)
    const response = await fetch(`${apiRoot}/events`, { headers, signal, cache: 'no-store' })
    if (response.status === 401) return 'signed_out'
    if (!response.ok || response.body === null) return 'lost'
    this.#options.onConnection('live')
    this.#delayMs = firstDelayMs
    await this.#readBody(response.body, attempt)
    return 'lost'
  }

  async #readBody(body: ReadableStream<Uint8Array>, attempt: AbortController): Promise<void> {
    const reader = new EventStreamReader()
    const decoder = new TextDecoder()
    let watchdog = setTimeout(() => attempt.abort(), silenceMs)
    try {
      for await (const bytes of chunksOf(body)) {
        clearTimeout(watchdog)
        watchdog = setTimeout(() => attempt.abort(), silenceMs)
        for (const message of reader.read(decoder.decode(bytes, { stream: true }))) {
          if (message.id !== null) this.#lastId = message.id
          this.#options.onEvent(message.event, message.data)
        }
      }
    } finally {
      clearTimeout(watchdog)
    }
  }
}

/** Not every browser can loop over a stream yet. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.releaseLock()
  }
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, durationMs)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
