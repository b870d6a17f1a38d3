/**
 * Owns calling the account's server in the account's name: signing, and replacing a session that
 * has run out. A request goes out a second time only where the server plainly refused the first
 * for its signature, so that nothing can have come of it.
 */

import type { Clock } from '../../core/clock.ts'
import type { Random } from '../../core/random.ts'
import { Secret } from '../../core/secret.ts'
import { requireOk } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import { rateLimitOf } from '../fetch/rate-limit.ts'
import type { CallOptions, Connection } from '../platform.ts'
import { credentialsOf, readCredentials, seal } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import { signProof } from './dpop.ts'
import { NotSent, UnusableCredentials } from './errors.ts'
import { refresh } from './refresh.ts'
import type { SessionTools } from './session-tools.ts'
import { errorNameOf, requestOf, urlOf } from './xrpc.ts'
import type { XrpcCall } from './xrpc.ts'

const expired: ReadonlySet<string | null> = new Set(['ExpiredToken', 'invalid_token'])

export class Session {
  readonly #tools: SessionTools
  readonly #connection: Connection
  readonly #signal: AbortSignal
  #credentials: Credentials

  constructor(tools: SessionTools, { connection, signal }: CallOptions) {
    this.#tools = tools
    this.#connection = connection
    this.#signal = signal
    this.#credentials = credentialsOf(connection)
  }

  get did(): string {
    return this.#credentials.did
  }

  get pds(): string {
    return this.#credentials.pds
  }

  get edits(): boolean {
    return this.#credentials.edits
  }

  get clock(): Clock {
    return this.#tools.clock
  }

  get random(): Random {
    return this.#tools.random
  }

  /** The answer if it is a success; else throws it. */
  async call(call: XrpcCall): Promise<GuardedResponse> {
    return requireOk(await this.ask(call))
  }

  /** The answer, whatever it says. */
  async ask(call: XrpcCall): Promise<GuardedResponse> {
    const first = await this.#send(call)
    if (!expired.has(errorNameOf(first)) || first.status >= 500) return first
    await this.#renew()
    return this.#send(call)
  }

  async #renew(): Promise<void> {
    const { renew } = this.#connection
    try {
      if (renew === null) {
        const problem = 'The session has ended, and there is nowhere to keep a new one; sign in.'
        throw new UnusableCredentials(problem)
      }
      const renewed = await renew(async (current) =>
        seal(await refresh(this.#tools, readCredentials(current), this.#signal)),
      )
      this.#credentials = readCredentials(renewed)
    } catch (error) {
      throw new NotSent(error)
    }
  }

  async #send(call: XrpcCall): Promise<GuardedResponse> {
    const response = await this.#sign(call)
    const limit = rateLimitOf(response, this.clock.now())
    if (limit !== null) this.#connection.note?.(limit)
    return response
  }

  async #sign(call: XrpcCall): Promise<GuardedResponse> {
    const credentials = this.#credentials
    const url = urlOf(credentials.pds, call)
    const { fetch, nonces } = this.#tools
    if (credentials.kind === 'app_password') {
      const authorization = new Secret(`Bearer ${credentials.accessJwt}`)
      return fetch(url, requestOf(call, { authorization }, this.#signal))
    }
    const { key, accessToken } = credentials
    const method = call.kind === 'query' ? 'GET' : 'POST'
    return nonces.withNonce(url, (nonce) => {
      const at = this.clock.now()
      const id = this.random.id()
      const proof = signProof({ key, method, url, nonce, accessToken, at, id })
      const authorization = new Secret(`DPoP ${accessToken}`)
      const headers = { authorization, dpop: new Secret(proof) }
      return fetch(url, requestOf(call, headers, this.#signal))
    })
  }
}
