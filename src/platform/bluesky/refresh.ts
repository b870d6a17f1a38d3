/** Owns exchanging a session that has run out for a new one. */

import { z } from 'zod'
import { Secret } from '../../core/secret.ts'
import { requireOk } from '../fetch/guarded-response.ts'
import type { AppPasswordSession, Credentials, OAuthSession } from './credentials.ts'
import { UnusableCredentials } from './errors.ts'
import { requestTokens } from './oauth-server.ts'
import type { SessionTools } from './session-tools.ts'
import { procedure, requestOf, urlOf } from './xrpc.ts'

const sessionSchema = z.object({
  did: z.string(),
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
})

/** Throws the server's answer where it is not a new session: what it means is for the table. */
export function refresh(
  tools: SessionTools,
  current: Credentials,
  signal: AbortSignal,
): Promise<Credentials> {
  return current.kind === 'oauth'
    ? refreshOAuth(tools, current, signal)
    : refreshAppPassword(tools, current, signal)
}

async function refreshAppPassword(
  { fetch }: SessionTools,
  current: AppPasswordSession,
  signal: AbortSignal,
): Promise<Credentials> {
  const call = procedure('com.atproto.server.refreshSession', null)
  const authorization = new Secret(`Bearer ${current.refreshJwt}`)
  const response = await fetch(urlOf(current.pds, call), requestOf(call, { authorization }, signal))
  const { did, accessJwt, refreshJwt } = requireOk(response).parse(sessionSchema)
  requireSame(did, current.did)
  return { ...current, accessJwt, refreshJwt }
}

async function refreshOAuth(
  tools: SessionTools,
  current: OAuthSession,
  signal: AbortSignal,
): Promise<Credentials> {
  const { tokenEndpoint, clientId, refreshToken, key } = current
  const grant = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: clientId }
  const tokens = await requestTokens(tools, { tokenEndpoint, key, grant, signal })
  requireSame(tokens.did, current.did)
  return { ...current, accessToken: tokens.accessToken, refreshToken: tokens.refreshToken }
}

/** A session of someone else must never take the place of this one. */
function requireSame(given: string, expected: string): void {
  if (given === expected) return
  throw new UnusableCredentials('The server gave a session of another account; sign in again.')
}
