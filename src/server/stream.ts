/**
 * Owns live events (SSE). A stream goes on from its own cursor in the ledger, so that a reconnect
 * misses nothing; one shared look at the end of the events wakes all of them.
 */

import type { Clock } from '../core/clock.ts'
import { InputError } from '../core/input-error.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { Cursor, EventFilter } from '../ledger/store.ts'
import type { Log, ServerSettings } from './parts.ts'
import { Problem } from './problem.ts'
import { toEventView } from './views/event.ts'

const batch = 200

export interface TailParts {
  readonly ledger: Ledger
  readonly clock: Clock
  readonly log: Log
  readonly settings: Pick<ServerSettings, 'pollMs' | 'heartbeatMs' | 'streams'>
}

/** Knows where the events end. It looks only while someone waits. */
export class EventTail {
  readonly #parts: TailParts
  readonly #stopping = new AbortController()
  #cursor: Cursor | null = null
  #waiting = new Set<() => void>()
  #watch: Promise<void> | null = null
  open = 0

  constructor(parts: TailParts) {
    this.#parts = parts
  }

  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** The position after everything that happened so far. */
  async end(): Promise<Cursor> {
    // Asking for no type at all moves to the end without reading what lies before it.
    const { cursor } = await this.#parts.ledger.readEvents(this.#cursor, { types: [] }, 1)
    this.#cursor = cursor
    return cursor
  }

  /** Refuses a cursor that is none of this ledger's. */
  async parse(cursor: string, field: string): Promise<Cursor> {
    if (isLike(cursor, await this.end())) return this.resume(cursor)
    throw new InputError(field, 'is not a cursor of this ledger; leave it out to begin anew')
  }

  /**
   * Where a stream goes on after it broke off. What is no position of this ledger, or lies ahead of
   * it, is from another one: it begins anew, as a refusal would make the browser give up for good.
   */
  async resume(lastEventId: string): Promise<Cursor> {
    const end = await this.end()
    if (!isLike(lastEventId, end)) return end
    const [given, last] = [lastEventId, end].map((cursor) => cursor.split(':').map(Number))
    const isAhead = (given?.[0] ?? 0) > (last?.[0] ?? 0)
    return isAhead ? end : lastEventId
  }

  /** Resolves when something may have happened after the cursor, or when the signal aborts. */
  async wait(cursor: Cursor, signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.stopping.aborted || (await this.end()) !== cursor) return
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      this.#waiting.add(wake)
      signal.addEventListener('abort', wake, { once: true })
      this.#watch ??= this.#run().finally(() => (this.#watch = null))
    })
  }

  async #run(): Promise<void> {
    const { clock, settings, log } = this.#parts
    while (this.#waiting.size > 0 && !this.stopping.aborted) {
      const before = this.#cursor
      try {
        if ((await this.end()) !== before) this.#wakeAll()
      } catch (error) {
        // The ledger comes back; until then nothing is missed, only late.
        log.warn({ error }, 'Reading new events failed')
      }
      await clock.sleep(settings.pollMs, this.stopping)
    }
    this.#wakeAll()
  }

  #wakeAll(): void {
    for (const wake of this.#waiting) wake()
  }

  /** Ends every stream. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    this.#wakeAll()
    await this.#watch
  }
}

/** Whether both are written alike: stores differ in how they name positions. */
function isLike(cursor: string, other: string): boolean {
  const shape = (text: string) => text.replaceAll(/\d{1,15}/g, '9')
  return /^\d{1,15}(:\d{1,15})?$/.test(cursor) && shape(cursor) === shape(other)
}

export interface StreamRequest {
  /** Also limits it to the accounts that the asker may see. */
  readonly filter: EventFilter
  /** Where to go on; null for what happens from now on. */
  readonly after: Cursor | null
  readonly signal: AbortSignal
}

/** The bytes of one stream. It ends when the signal aborts or the server stops. */
export function streamEvents(
  tail: EventTail,
  parts: TailParts,
  request: StreamRequest,
): ReadableStream<Uint8Array> {
  if (tail.open >= parts.settings.streams) {
    throw new Problem(429, 'Too many event streams are open; close one', { retryAfter: 30 })
  }
  tail.open += 1
  const gone = new AbortController()
  const signal = AbortSignal.any([request.signal, gone.signal, tail.stopping])
  const messages = follow(tail, parts, { ...request, signal })
  const encoder = new TextEncoder()
  const close = () => {
    if (!gone.signal.aborted) tail.open -= 1
    gone.abort()
  }
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const next = await messages.next().catch((error: unknown) => {
        close()
        throw error
      })
      if (next.done === true) {
        close()
        controller.close()
      } else controller.enqueue(encoder.encode(next.value))
    },
    cancel: close,
  })
}

async function* follow(
  tail: EventTail,
  { ledger, clock, settings, log }: TailParts,
  { filter, after, signal }: StreamRequest,
): AsyncGenerator<string> {
  let cursor = after ?? (await tail.end())
  yield `retry: 2000\n${message('ready', cursor, '{}')}`
  while (!signal.aborted) {
    try {
      const page = await ledger.readEvents(cursor, filter, batch)
      for (const [index, event] of page.events.entries()) {
        // Only the last of a page has a cursor of its own; a repeat of a few is recognised by seq.
        const at = index === page.events.length - 1 ? page.cursor : cursor
        yield message(event.type, at, JSON.stringify(toEventView(event)))
      }
      cursor = page.cursor
      if (page.events.length >= batch) continue
    } catch (error) {
      log.warn({ error }, 'Reading events for a stream failed')
      await clock.sleep(settings.pollMs, signal)
      continue
    }
    if (await isQuiet(tail, clock, settings.heartbeatMs, cursor, signal)) yield ': still here\n\n'
  }
  if (tail.stopping.aborted) yield message('bye', cursor, '{}')
}

/** Waits for news; true where there were none for so long that a sign of life is due. */
async function isQuiet(
  tail: EventTail,
  clock: Clock,
  heartbeatMs: number,
  cursor: Cursor,
  signal: AbortSignal,
): Promise<boolean> {
  const beat = new AbortController()
  const news = new AbortController()
  const ring = async () => {
    const ended = AbortSignal.any([signal, news.signal])
    await clock.sleep(heartbeatMs, ended)
    if (!ended.aborted) beat.abort()
  }
  const ringing = ring()
  await tail.wait(cursor, AbortSignal.any([signal, beat.signal]))
  news.abort()
  await ringing
  return beat.signal.aborted && !signal.aborted
}

function message(event: string, id: string, data: string): string {
  return `event: ${event}\nid: ${id}\ndata: ${data}\n\n`
}
