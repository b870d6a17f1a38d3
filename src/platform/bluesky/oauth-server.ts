/** Owns finding a server that people sign in at, and the two requests that it is sent. */

import { z } from 'zod'
import { InputError } from '../../core/input-error.ts'
import { Secret } from '../../core/secret.ts'
import { requireOk } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import type { PrivateKey } from './credentials.ts'
import { signProof } from './dpop.ts'
import { UnusableCredentials } from './errors.ts'
import type { SessionTools } from './session-tools.ts'

const resourceSchema = z.object({ authorization_servers: z.array(z.url()).min(1) })

const serverSchema = z.object({
  issuer: z.url(),
  authorization_endpoint: z.url(),
  token_endpoint: z.url(),
  pushed_authorization_request_endpoint: z.url(),
  dpop_signing_alg_values_supported: z.array(z.string()),
})

export interface AuthorizationServer {
  readonly issuer: string
  readonly authorizationEndpoint: string
  readonly tokenEndpoint: string
  readonly pushEndpoint: string
}

/** Where the accounts of a server sign in; it may be another server. */
export async function findAuthorizationServer(
  { fetch }: SessionTools,
  pds: string,
  signal: AbortSignal,
): Promise<AuthorizationServer> {
  const resource = await fetch(new URL('/.well-known/oauth-protected-resource', pds), { signal })
  const [origin] = requireOk(resource).parse(resourceSchema).authorization_servers
  const place = new URL('/.well-known/oauth-authorization-server', origin ?? pds)
  const found = requireOk(await fetch(place, { signal })).parse(serverSchema)
  // Else one server could pass itself off as another.
  if (new URL(found.issuer).origin !== place.origin) {
    throw new InputError('handle', `the sign-in server at ${place.origin} calls itself another`)
  }
  if (!found.dpop_signing_alg_values_supported.includes('ES256')) {
    throw new InputError('handle', `the sign-in server at ${place.origin} does not take ES256`)
  }
  return {
    issuer: found.issuer,
    authorizationEndpoint: found.authorization_endpoint,
    tokenEndpoint: found.token_endpoint,
    pushEndpoint: found.pushed_authorization_request_endpoint,
  }
}

interface SignedPost {
  readonly url: URL
  readonly key: PrivateKey
  readonly form: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** The form holds codes and tokens, so it travels as a secret. */
async function post(
  { fetch, clock, random, nonces }: SessionTools,
  { url, key, form, signal }: SignedPost,
): Promise<GuardedResponse> {
  return nonces.withNonce(url, (nonce) => {
    const once = { nonce, accessToken: null, at: clock.now(), id: random.id() }
    const proof = signProof({ key, method: 'POST', url, ...once })
    const type = 'application/x-www-form-urlencoded'
    const headers = { dpop: new Secret(proof), 'content-type': type }
    const body = new Secret(new URLSearchParams(form).toString())
    return fetch(url, { method: 'POST', headers, body, signal })
  })
}

const pushedSchema = z.object({ request_uri: z.string().min(1) })

/** Hands the request over beforehand; what goes through the browser is only its name. */
export async function pushRequest(
  tools: SessionTools,
  { pushEndpoint }: AuthorizationServer,
  request: Omit<SignedPost, 'url'>,
): Promise<string> {
  const response = await post(tools, { ...request, url: new URL(pushEndpoint) })
  return requireOk(response).parse(pushedSchema).request_uri
}

const tokensSchema = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1),
  token_type: z.string(),
  sub: z.string().regex(/^did:/),
  scope: z.string(),
})

export interface Tokens {
  readonly did: string
  readonly accessToken: string
  readonly refreshToken: string
}

export interface TokenRequest {
  readonly tokenEndpoint: string
  readonly key: PrivateKey
  readonly grant: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export async function requestTokens(tools: SessionTools, request: TokenRequest): Promise<Tokens> {
  const { tokenEndpoint, key, grant: form, signal } = request
  const response = await post(tools, { url: new URL(tokenEndpoint), key, form, signal })
  const given = requireOk(response).parse(tokensSchema)
  const isBound = given.token_type.toLowerCase() === 'dpop'
  if (!isBound || !given.scope.split(' ').includes('atproto')) {
    throw new UnusableCredentials('The server gave tokens of another kind than was asked for.')
  }
  const { sub: did, access_token: accessToken, refresh_token: refreshToken } = given
  return { did, accessToken, refreshToken }
}
