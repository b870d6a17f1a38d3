/**
 * Owns calling an API in an account's name: opens its credentials, replaces tokens that have run
 * out, and puts the token into the request. A read whose token was refused is repeated once with a
 * new one; a write never is.
 */

import type { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { minuteMs } from '../../core/duration.ts'
import { Secret } from '../../core/secret.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import { rateLimitOf } from '../fetch/rate-limit.ts'
import { isWrite } from '../fetch/request.ts'
import type { FetchOptions } from '../fetch/request.ts'
import type { GuardedFetch } from '../guarded-fetch.ts'
import type { CallOptions } from '../platform.ts'
import { beforeSending, CredentialsError, TokenReplaced } from './api-error.ts'
import type { Tokens } from './tokens.ts'

/** A token that runs out within this is replaced first: the call takes time, and clocks differ. */
const marginMs = 2 * minuteMs

export interface SessionRules<Credentials extends Tokens> {
  readonly fetch: GuardedFetch
  readonly clock: Clock
  readonly schema: z.ZodType<Credentials>
  /** Trades the refresh token for new tokens; the rest of the credentials stays. */
  readonly refresh: (current: Credentials, signal: AbortSignal) => Promise<Tokens>
  readonly url: (credentials: Credentials, path: string) => string
}

export type ApiCall = FetchOptions & { readonly path: string }

/** One call of the port, with the credentials that are right for it. */
export class Session<Credentials extends Tokens> {
  readonly #rules: SessionRules<Credentials>
  readonly #options: CallOptions
  #credentials: Credentials

  private constructor(
    rules: SessionRules<Credentials>,
    options: CallOptions,
    credentials: Credentials,
  ) {
    this.#rules = rules
    this.#options = options
    this.#credentials = credentials
  }

  static async open<Credentials extends Tokens>(
    rules: SessionRules<Credentials>,
    options: CallOptions,
  ): Promise<Session<Credentials>> {
    const credentials = parseCredentials(options.connection.credentials, rules.schema)
    const session = new Session(rules, options, credentials)
    if (session.#runsOut(credentials)) await session.#renew(credentials)
    return session
  }

  get credentials(): Credentials {
    return this.#credentials
  }

  async send({ path, ...call }: ApiCall): Promise<GuardedResponse> {
    const used = this.#credentials
    const response = await this.#sendWith(used, path, call)
    const isRefused = response.status === 401 && !response.isPage()
    if (!isRefused || !this.#canRenew(used)) return response
    // What was refused for its token has not been carried out.
    await beforeSending(() => this.#renew(used))
    if (isWrite(call.method ?? 'GET')) throw new TokenReplaced()
    return this.#sendWith(this.#credentials, path, call)
  }

  async #sendWith(
    credentials: Credentials,
    path: string,
    call: FetchOptions,
  ): Promise<GuardedResponse> {
    const { fetch, url, clock } = this.#rules
    const response = await fetch(url(credentials, path), {
      signal: this.#options.signal,
      ...call,
      headers: {
        accept: 'application/json',
        ...call.headers,
        authorization: new Secret(`Bearer ${credentials.accessToken}`),
      },
    })
    const limit = rateLimitOf(response, clock.now())
    if (limit !== null) this.#options.connection.note?.(limit)
    return response
  }

  #runsOut(credentials: Credentials): boolean {
    const { expiresAt } = credentials
    if (expiresAt === null || !this.#canRenew(credentials)) return false
    return this.#rules.clock.now() >= expiresAt - marginMs
  }

  /** A refresh token may work only once: it is not spent where its successor cannot be stored. */
  #canRenew({ refreshToken }: Credentials): boolean {
    return refreshToken !== null && this.#options.connection.renew !== null
  }

  async #renew(used: Credentials): Promise<void> {
    const { schema, refresh } = this.#rules
    const { connection, signal } = this.#options
    const renewed = await connection.renew?.(async (secret) => {
      const current = parseCredentials(secret, schema)
      // Another process was faster.
      if (current.accessToken !== used.accessToken) return secret
      const { accessToken, refreshToken, expiresAt } = await refresh(current, signal)
      const next = { accessToken, refreshToken: refreshToken ?? current.refreshToken, expiresAt }
      return new Secret(JSON.stringify({ ...current, ...next }))
    })
    if (renewed !== undefined) this.#credentials = parseCredentials(renewed, schema)
  }
}

/** What is wrong with them is not said: the field in question may be the secret itself. */
export function parseCredentials<Credentials>(
  secret: Secret | null,
  schema: z.ZodType<Credentials>,
): Credentials {
  if (secret === null) throw new CredentialsError('the account has no credentials; sign in')
  try {
    return schema.parse(JSON.parse(secret.reveal()))
  } catch {
    throw new CredentialsError('the stored credentials cannot be read; sign in again')
  }
}
