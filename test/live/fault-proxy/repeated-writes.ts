/**
 * Owns the ways in which servers treat an Idempotency-Key that was there before: Mastodon gives the
 * first answer again for an hour, some of its versions answer 500 to a repeat, the Pleroma family
 * keeps one key for all accounts and gives errors again too, and others ignore it.
 */

import type { ProxiedRequest, ServerAnswer } from './exchange.ts'

export type KeyBehaviour =
  | 'ignored'
  /** The first success again, for an hour, for each account by itself. */
  | 'replay'
  /** A server error, for an hour, for each account by itself. */
  | 'error_on_duplicate'
  /** The first answer again whatever it was, for ever, and for whoever sends the key. */
  | 'global_replay'

const hourMs = 3_600_000

interface Kept {
  readonly answer: Promise<ServerAnswer>
  readonly at: number
}

export class RepeatedWrites {
  readonly #behaviour: KeyBehaviour
  readonly #now: () => number
  readonly #kept = new Map<string, Kept>()

  constructor(behaviour: KeyBehaviour, now: () => number) {
    this.#behaviour = behaviour
    this.#now = now
  }

  async through(request: ProxiedRequest, ask: () => Promise<ServerAnswer>): Promise<ServerAnswer> {
    const key = request.headers['idempotency-key']
    const isKeyed = request.method === 'POST' && typeof key === 'string'
    if (this.#behaviour === 'ignored' || !isKeyed) return ask()
    const isGlobal = this.#behaviour === 'global_replay'
    const name = isGlobal ? key : `${request.headers.authorization ?? ''} ${key}`
    const kept = this.#kept.get(name)
    if (kept !== undefined && (isGlobal || this.#now() - kept.at < hourMs)) {
      return this.#repeat(await kept.answer)
    }
    const answer = ask()
    this.#kept.set(name, { answer, at: this.#now() })
    const { status } = await answer
    // Elsewhere a refusal is no result: the key is free again.
    if (!isGlobal && status >= 400) this.#kept.delete(name)
    return answer
  }

  #repeat(first: ServerAnswer): ServerAnswer {
    switch (this.#behaviour) {
      case 'error_on_duplicate':
        return { status: 500, headers: {}, body: Buffer.from('{"error":"Something went wrong"}') }
      case 'global_replay':
        return { ...first, headers: { ...first.headers, 'idempotent-replayed': 'true' } }
      case 'replay':
      case 'ignored':
        return first
    }
  }
}
