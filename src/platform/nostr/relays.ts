/**
 * Owns speaking with all relays of an account at once. No relay is the network: a reading comes
 * from all that answer, and a write has landed where any of them took it.
 */

import type { Clock } from '../../core/clock.ts'
import { secondMs } from '../../core/duration.ts'
import type { GuardedSocket } from '../fetch/guarded-socket.ts'
import type { Credentials } from './credentials.ts'
import type { NostrEvent } from './event.ts'
import { RelaysFailed } from './relay-errors.ts'
import { RelaySession } from './relay-session.ts'

/** One slow relay must not use up the time of a call, which is 20 s for a reading by default. */
const conversationMs = 10 * secondMs

export interface Answer<Result> {
  readonly relay: string
  readonly result: Result
}

/** What the relays came to, one by one. */
export interface Answers<Result> {
  /** At least one. */
  readonly answers: readonly Answer<Result>[]
  /** Why the others gave none. */
  readonly failures: readonly unknown[]
}

export interface RelayTools {
  readonly socket: GuardedSocket
  readonly clock: Clock
}

export class Relays {
  readonly credentials: Credentials
  readonly #tools: RelayTools
  readonly #signal: AbortSignal

  constructor(tools: RelayTools, credentials: Credentials, signal: AbortSignal) {
    this.credentials = credentials
    this.#tools = tools
    this.#signal = signal
  }

  /** Asks every relay the same. Throws where none gives an answer. */
  async ask<Result>(
    question: (session: RelaySession) => Promise<Result>,
  ): Promise<Answers<Result>> {
    const { relays } = this.credentials
    const settled = await Promise.allSettled(relays.map((relay) => this.#talk(relay, question)))
    const answers: Answer<Result>[] = []
    const failures: unknown[] = []
    for (const [index, each] of settled.entries()) {
      if (each.status === 'rejected') failures.push(each.reason)
      else answers.push({ relay: relays[index] as string, result: each.value })
    }
    if (answers.length === 0) throw new RelaysFailed(failures)
    return { answers, failures }
  }

  /**
   * Sends the event to every relay once. It waits for all of them, because whoever hangs up on the
   * others would leave the event on one relay. Throws where none took it.
   */
  async publish(event: NostrEvent): Promise<readonly string[]> {
    const { answers } = await this.ask((session) => session.publish(event))
    return answers.map(({ relay }) => relay)
  }

  #talk<Result>(
    relay: string,
    question: (session: RelaySession) => Promise<Result>,
  ): Promise<Result> {
    const { socket, clock } = this.#tools
    const { signer } = this.credentials
    const options = { signal: this.#signal, timeoutMs: conversationMs }
    return socket(relay, options, (conversation) =>
      question(new RelaySession({ relay, conversation, signer, clock })),
    )
  }
}
