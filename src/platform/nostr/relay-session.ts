/**
 * Owns one conversation with one relay: asking, counting, publishing, and the login where the relay
 * wants one (NIP-42). One thing is asked at a time, except for counts. It sends an event again in
 * one case only: when the relay has plainly said that it wants a login first.
 */

import type { Clock } from '../../core/clock.ts'
import { secondMs } from '../../core/duration.ts'
import type { Conversation } from '../fetch/guarded-socket.ts'
import { kinds } from './event.ts'
import type { NostrEvent, Signer } from './event.ts'
import { RelayNonsense, RelayRefusal, refusalWordOf } from './relay-errors.ts'
import { fits, parseRelayMessage } from './relay-message.ts'
import type { Filter, RelayMessage } from './relay-message.ts'

export interface SessionOptions {
  readonly relay: string
  readonly conversation: Conversation
  readonly signer: Signer
  readonly clock: Clock
}

/** How many counts are asked for before the first is answered; relays allow about 20. */
const countsAtOnce = 10

/** An answer with more than this is none that was asked for. */
const mostEvents = 20_000

export class RelaySession {
  readonly relay: string
  readonly #conversation: Conversation
  readonly #signer: Signer
  readonly #clock: Clock
  #challenge: string | null = null
  #isLoggedIn = false
  #requests = 0

  constructor({ relay, conversation, signer, clock }: SessionOptions) {
    this.relay = relay
    this.#conversation = conversation
    this.#signer = signer
    this.#clock = clock
  }

  /** What the relay has stored that fits one of the filters. */
  async query(filters: readonly Filter[]): Promise<readonly NostrEvent[]> {
    return this.#withLogin(async () => {
      const subscription = this.#nextName()
      this.#send(['REQ', subscription, ...filters])
      const events = new Map<string, NostrEvent>()
      for (;;) {
        const message = await this.#receive()
        if (!('subscription' in message) || message.subscription !== subscription) continue
        if (message.kind === 'closed') throw new RelayRefusal(this.relay, message.reason)
        if (message.kind === 'end') break
        if (message.kind !== 'event') continue
        const { event } = message
        if (filters.some((filter) => fits(event, filter))) events.set(event.id, event)
        if (events.size > mostEvents) throw new RelayNonsense(this.relay)
      }
      this.#send(['CLOSE', subscription])
      return [...events.values()]
    })
  }

  /** How much there is for each filter (NIP-45); null for one that the relay does not count. */
  async count(filters: readonly Filter[]): Promise<readonly (number | null)[]> {
    const counts: (number | null)[] = []
    for (let start = 0; start < filters.length; start += countsAtOnce) {
      counts.push(...(await this.#countSome(filters.slice(start, start + countsAtOnce))))
    }
    return counts
  }

  async #countSome(filters: readonly Filter[]): Promise<readonly (number | null)[]> {
    const open = new Map(filters.map((_, index) => [this.#nextName(), index]))
    const counts = filters.map((): number | null => null)
    for (const [subscription, index] of open) this.#send(['COUNT', subscription, filters[index]])
    while (open.size > 0) {
      const message = await this.#receive()
      if (message.kind !== 'count' && message.kind !== 'closed') continue
      const index = open.get(message.subscription)
      if (index === undefined) continue
      open.delete(message.subscription)
      if (message.kind === 'count') counts[index] = message.count
    }
    return counts
  }

  /** Ends well where the relay has the event now, whether from this call or from an earlier one. */
  async publish(event: NostrEvent): Promise<void> {
    return this.#withLogin(async () => {
      this.#send(['EVENT', event])
      const { isAccepted, reason } = await this.#answerTo(event.id)
      if (isAccepted || refusalWordOf(reason) === 'duplicate') return
      throw new RelayRefusal(this.relay, reason)
    })
  }

  /** The login is given only to a relay that insists on it: it tells who is asking. */
  async #withLogin<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const wantsLogin = error instanceof RelayRefusal && error.word === 'auth-required'
      if (!wantsLogin || this.#isLoggedIn) throw error
    }
    await this.#logIn()
    return work()
  }

  async #logIn(): Promise<void> {
    // A relay may ask for the login first, and name its challenge only then.
    while (this.#challenge === null) await this.#receive()
    const event = this.#signer.sign({
      kind: kinds.authentication,
      created_at: Math.floor(this.#clock.now() / secondMs),
      tags: [
        ['relay', this.relay],
        ['challenge', this.#challenge],
      ],
      content: '',
    })
    this.#send(['AUTH', event])
    const { isAccepted } = await this.#answerTo(event.id)
    // Whatever word it uses for that: it is the login that it does not take.
    if (!isAccepted) throw new RelayRefusal(this.relay, 'restricted: login')
    this.#isLoggedIn = true
  }

  async #answerTo(eventId: string): Promise<RelayMessage & { readonly kind: 'ok' }> {
    for (;;) {
      const message = await this.#receive()
      if (message.kind === 'ok' && message.eventId === eventId) return message
    }
  }

  #nextName(): string {
    this.#requests += 1
    return `sw${this.#requests}`
  }

  #send(message: unknown): void {
    this.#conversation.send(JSON.stringify(message))
  }

  async #receive(): Promise<RelayMessage> {
    const message = parseRelayMessage(await this.#conversation.receive())
    if (message === null) throw new RelayNonsense(this.relay)
    if (message.kind === 'challenge') this.#challenge = message.challenge
    return message
  }
}
