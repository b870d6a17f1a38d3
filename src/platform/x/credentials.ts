/** Owns an account's credentials on X as they are sealed, and how its tokens are replaced. */

import { z } from 'zod'
import { Secret } from '../../core/secret.ts'
import type { ConnectorTools } from '../connector.ts'
import type { SessionRules } from '../oauth/session.ts'
import { requestTokens, tokenFields } from '../oauth/tokens.ts'
import type { Refusal, Tokens } from '../oauth/tokens.ts'
import type { Addresses } from './addresses.ts'

export const credentialsSchema = z.strictObject({
  clientId: z.string(),
  /** Null for an app of the kind that can keep no secret. */
  clientSecret: z.string().nullable(),
  ...tokenFields,
})

export type Credentials = z.infer<typeof credentialsSchema>

type Client = Pick<Credentials, 'clientId' | 'clientSecret'>

export interface TokenExchange {
  readonly client: Client
  readonly form: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export function exchangeTokens(
  { fetch, clock }: Pick<ConnectorTools, 'fetch' | 'clock'>,
  { api }: Addresses,
  { client, form, signal }: TokenExchange,
): Promise<Tokens> {
  const { clientId, clientSecret } = client
  const request = {
    url: `${api}/2/oauth2/token`,
    form: { ...form, client_id: clientId },
    isFinal: isDead,
    signal,
  }
  if (clientSecret === null) return requestTokens(fetch, request, clock.now())
  const login = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const authorization = new Secret(`Basic ${login}`)
  return requestTokens(fetch, { ...request, authorization }, clock.now())
}

/** X calls a code or a refresh token that was used, withdrawn or has run out an invalid value. */
function isDead({ error, error_description: description }: Refusal): boolean {
  return (
    error === 'invalid_request' && /value passed for the .* was invalid/i.test(description ?? '')
  )
}

export function sessionRules(
  tools: Pick<ConnectorTools, 'fetch' | 'clock'>,
  addresses: Addresses,
): SessionRules<Credentials> {
  return {
    fetch: tools.fetch,
    clock: tools.clock,
    schema: credentialsSchema,
    url: (_, path) => `${addresses.api}${path}`,
    // Each refresh token works once; the session stores its successor before anyone uses it.
    refresh: (current, signal) =>
      exchangeTokens(tools, addresses, {
        client: current,
        form: { grant_type: 'refresh_token', refresh_token: current.refreshToken ?? '' },
        signal,
      }),
  }
}
