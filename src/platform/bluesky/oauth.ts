/**
 * Owns signing in through a browser: OAuth as AT Protocol has it, with a pushed request, PKCE and
 * proofs of possession. A program on the owner's own machine needs no registration; one that is
 * reached over https shows its metadata at an address, which is also its name.
 */

import { hash } from 'node:crypto'
import { z } from 'zod'
import { InputError, parseWith } from '../../core/input-error.ts'
import type { Random } from '../../core/random.ts'
import { Secret } from '../../core/secret.ts'
import type {
  BrowserRequest,
  ClientDocument,
  ConnectorTools,
  SignedIn,
  SignIn,
} from '../connector.ts'
import { keySchema, seal } from './credentials.ts'
import type { OAuthSession } from './credentials.ts'
import { makeKey } from './dpop.ts'
import { findIdentity, parseHandle } from './identity.ts'
import type { Places } from './identity.ts'
import { findAuthorizationServer, pushRequest, requestTokens } from './oauth-server.ts'
import type { Profile } from './profile.ts'
import { sessionTools } from './session-tools.ts'
import { editsField, handleField, valueOf, wantsEdits } from './sign-in-fields.ts'

/** To act as the account through other programs' eyes: posts, replies, reading. */
const scope = 'atproto transition:generic'

const metadataPath = '/oauth/bluesky/client-metadata.json'

export function oauthSignIn(places: Places): SignIn {
  return {
    kind: 'browser',
    name: 'oauth',
    title: 'Sign in with the browser',
    fields: [handleField, editsField],
    clientDocument: clientMetadata,
    begin: (tools, request) => begin(tools, places, request),
    finish: (tools, { pending, answer }, signal) => finish(tools, { pending, answer, signal }),
  }
}

const pendingSchema = z.strictObject({
  state: z.string(),
  verifier: z.string(),
  key: keySchema,
  issuer: z.string(),
  tokenEndpoint: z.string(),
  clientId: z.string(),
  redirectUri: z.string(),
  did: z.string(),
  handle: z.string(),
  pds: z.string(),
  edits: z.boolean(),
})
type Pending = z.infer<typeof pendingSchema>

async function begin(
  connectorTools: ConnectorTools,
  places: Places,
  { values, redirectUri, signal }: BrowserRequest,
) {
  const tools = sessionTools(connectorTools)
  const handle = parseHandle(valueOf(values, handleField), handleField.name)
  const edits = wantsEdits(values)
  const clientId = clientIdFor(redirectUri)
  const identity = await findIdentity(tools, places, handle, signal)
  const server = await findAuthorizationServer(tools, identity.pds, signal)
  const [state, verifier] = [longId(tools.random), longId(tools.random)]
  const key = makeKey()
  const form = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope,
    state,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
    login_hint: handle,
  }
  const requestUri = await pushRequest(tools, server, { key, form, signal })
  const url = new URL(server.authorizationEndpoint)
  url.searchParams.set('client_id', clientId)
  url.searchParams.set('request_uri', requestUri)
  const { issuer, tokenEndpoint } = server
  const visit = { state, verifier, key, clientId, redirectUri, edits }
  const pending: Pending = { ...visit, ...identity, issuer, tokenEndpoint }
  return { url: url.href, pending: new Secret(JSON.stringify(pending)), state }
}

/** 244 bits that nobody can guess, in 64 letters. */
function longId(random: Random): string {
  return [random.id(), random.id()].join('').replaceAll('-', '')
}

interface Return {
  readonly pending: Secret
  readonly answer: string
  readonly signal: AbortSignal
}

async function finish(
  connectorTools: ConnectorTools,
  { pending: sealed, answer, signal }: Return,
): Promise<SignedIn> {
  const tools = sessionTools(connectorTools)
  const pending = parseWith(pendingSchema, JSON.parse(sealed.reveal()), 'pending')
  const { key, tokenEndpoint, clientId, redirectUri, verifier, did, pds, edits, issuer } = pending
  const grant = {
    grant_type: 'authorization_code',
    code: codeOf(answer, pending),
    code_verifier: verifier,
    redirect_uri: redirectUri,
    client_id: clientId,
  }
  const tokens = await requestTokens(tools, { tokenEndpoint, key, grant, signal })
  if (tokens.did !== did) {
    throw new InputError('handle', `is not the account that signed in; enter ${pending.handle}`)
  }
  const { accessToken, refreshToken } = tokens
  const account = { kind: 'oauth', pds, did, edits } as const
  const grants = { issuer, tokenEndpoint, clientId, accessToken, refreshToken, key }
  const session: OAuthSession = { ...account, ...grants }
  const profile: Profile = { did, pds, edits }
  return { handle: pending.handle, credentials: seal(session), profile }
}

/** The answer must belong to this visit, and come from the server that was asked. */
function codeOf(answer: string, { state, issuer }: Pending): string {
  const problem = 'is not the address to which the browser was sent back'
  if (!URL.canParse(answer)) throw new InputError('answer', problem)
  const { searchParams } = new URL(answer)
  if (searchParams.get('state') !== state || searchParams.get('iss') !== issuer) {
    throw new InputError('answer', `${problem}; sign in again`)
  }
  const refused = searchParams.get('error')
  if (refused === 'access_denied') throw new InputError('answer', 'you did not agree')
  const code = searchParams.get('code')
  if (refused !== null || code === null || code === '') {
    throw new InputError('answer', 'the sign-in server turned it down; sign in again')
  }
  return code
}

/** Programs on the owner's machine share the name `localhost`, and say the rest in its query. */
function clientIdFor(redirectUri: string): string {
  const url = URL.canParse(redirectUri) ? new URL(redirectUri) : null
  if (url?.protocol === 'https:') return `${url.origin}${metadataPath}`
  if (url?.protocol === 'http:' && ['127.0.0.1', '[::1]'].includes(url.hostname)) {
    const told = new URLSearchParams({ redirect_uri: redirectUri, scope })
    return `http://localhost?${told.toString()}`
  }
  throw new InputError('redirectUri', 'must be https, or http at 127.0.0.1')
}

/** What a server that people reach over https must show at this path, so that it can be named. */
export function clientMetadata(redirectUri: string): ClientDocument {
  const clientId = clientIdFor(redirectUri)
  const document = {
    client_id: clientId,
    client_name: 'Second Wind',
    client_uri: new URL(redirectUri).origin,
    application_type: 'web',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: [redirectUri],
    scope,
    token_endpoint_auth_method: 'none',
    dpop_bound_access_tokens: true,
  }
  return { path: metadataPath, document }
}
