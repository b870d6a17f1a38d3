/** Owns what a token endpoint gives, and asking it. What it refuses is told from what failed. */

import { z } from 'zod'
import { secondMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import { Secret } from '../../core/secret.ts'
import { AnswerError } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import type { GuardedFetch } from '../guarded-fetch.ts'
import { CredentialsError } from './api-error.ts'

export const tokenFields = {
  accessToken: z.string().min(1),
  /** Null where the network gives none: its access tokens do not run out. */
  refreshToken: z.string().min(1).nullable(),
  expiresAt: z.number().nullable(),
} as const

export interface Tokens {
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly expiresAt: Instant | null
}

export interface TokenRequest {
  readonly url: string
  readonly form: Readonly<Record<string, string>>
  /** For clients that have a secret and show it in a header. */
  readonly authorization?: Secret
  /** A network's own words for the same, where it does not use the common ones. */
  readonly isFinal?: (refusal: Refusal) => boolean
  readonly signal: AbortSignal
}

const answerSchema = z.object({
  access_token: z.string().min(1),
  token_type: z.string().regex(/^bearer$/i),
  refresh_token: z.string().min(1).nullish(),
  // Some servers write it as text.
  expires_in: z.coerce.number().positive().nullish(),
})

const refusalSchema = z.object({ error: z.string(), error_description: z.string().nullish() })
export type Refusal = z.infer<typeof refusalSchema>

/** The network's clear words for: these credentials will not work again. */
const finalRefusals: Readonly<Partial<Record<string, string>>> = {
  invalid_grant: 'the permission was withdrawn or has run out; sign in again',
  invalid_client: 'the network does not know this program any more; sign in again',
  unauthorized_client: 'the network does not let this program do that; sign in again',
}

/**
 * Exchanges a code or a refresh token. Only a clear word of the network is the end of credentials;
 * whatever else fails may be tried again with the same ones.
 */
export async function requestTokens(
  fetch: GuardedFetch,
  { url, form, authorization, isFinal = () => false, signal }: TokenRequest,
  now: Instant,
): Promise<Tokens> {
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(authorization === undefined ? {} : { authorization }),
    },
    body: new Secret(new URLSearchParams(form).toString()),
    signal,
  })
  if (!response.ok) throw errorOf(response, isFinal)
  const answer = response.parse(answerSchema)
  return {
    accessToken: answer.access_token,
    refreshToken: answer.refresh_token ?? null,
    expiresAt: typeof answer.expires_in === 'number' ? now + answer.expires_in * secondMs : null,
  }
}

function errorOf(response: GuardedResponse, isFinal: (refusal: Refusal) => boolean): Error {
  const isRefusal = response.status >= 400 && response.status < 500 && response.status !== 429
  const refusal = isRefusal ? refusalOf(response) : null
  if (refusal === null) return new AnswerError(response)
  const why = isFinal(refusal) ? finalRefusals['invalid_grant'] : finalRefusals[refusal.error]
  return why === undefined ? new AnswerError(response) : new CredentialsError(why)
}

function refusalOf(response: GuardedResponse): Refusal | null {
  try {
    return response.parse(refusalSchema)
  } catch {
    return null
  }
}
