/**
 * Owns the numbers that servers want inside proofs of possession. They are kept only to save a
 * round trip: without one, the server refuses the request and names the next.
 */

import type { GuardedResponse } from '../fetch/guarded-response.ts'
import { errorNameOf } from './xrpc.ts'

export class Nonces {
  readonly #byOrigin = new Map<string, string>()

  /**
   * Sends, and once more where the server refused for the number alone. It checks the proof before
   * anything else, so a write that was refused for it has not been applied.
   */
  async withNonce(
    url: URL,
    send: (nonce: string | null) => Promise<GuardedResponse>,
  ): Promise<GuardedResponse> {
    const used = this.#byOrigin.get(url.origin) ?? null
    const first = await send(used)
    const given = this.#learn(url, first)
    const isRefused = first.status === 400 || first.status === 401
    if (!isRefused || errorNameOf(first) !== 'use_dpop_nonce') return first
    if (given === null || given === used) return first
    const second = await send(given)
    this.#learn(url, second)
    return second
  }

  #learn(url: URL, response: GuardedResponse): string | null {
    const nonce = response.header('dpop-nonce')
    if (nonce !== null) this.#byOrigin.set(url.origin, nonce)
    return nonce
  }
}
