/** Owns the two ways to sign in: through the server's own page, or with a pasted access token. */

import { z } from 'zod'
import type { Fault } from '../../core/fault.ts'
import { toAccountId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { Secret } from '../../core/secret.ts'
import type {
  BrowserRequest,
  BrowserVisit,
  ConnectorTools,
  SignedIn,
  SignIn,
  SignInField,
} from '../connector.ts'
import { requireOk } from '../fetch/guarded-response.ts'
import { codeFrom, visitUrl } from '../oauth/code-visit.ts'
import { createPkce } from '../oauth/pkce.ts'
import { parseCredentials } from '../oauth/session.ts'
import { requestTokens } from '../oauth/tokens.ts'
import { parseServer } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import { MastodonPlatform } from './mastodon-platform.ts'
import { appSchema } from './wire.ts'

const scopes = ['read', 'write']

const server: SignInField = {
  name: 'server',
  label: 'Server',
  hint: 'The name of your server, like mastodon.social',
  isSecret: false,
  fallback: null,
}

const pendingSchema = z.strictObject({
  server: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  redirectUri: z.string(),
  state: z.string(),
  verifier: z.string(),
})

export const browserSignIn: SignIn = {
  kind: 'browser',
  name: 'browser',
  title: 'Agree on the page of your server',
  fields: [server],
  begin: beginVisit,
  finish: async (tools, { pending, answer }, signal) => {
    const visit = parseCredentials(pending, pendingSchema)
    const code = codeFrom(answer, visit.state)
    const { clientId, clientSecret } = visit
    const tokens = await requestTokens(
      tools.fetch,
      {
        url: `${visit.server}/oauth/token`,
        form: {
          grant_type: 'authorization_code',
          code,
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uri: visit.redirectUri,
          code_verifier: visit.verifier,
          scope: scopes.join(' '),
        },
        signal,
      },
      tools.clock.now(),
    )
    return signIn(tools, { server: visit.server, clientId, clientSecret, ...tokens }, signal)
  },
}

/** Makes this program known to the server, and the address at which the person agrees. */
async function beginVisit(tools: ConnectorTools, request: BrowserRequest): Promise<BrowserVisit> {
  const origin = parseServer(request.values['server'] ?? '')
  const { redirectUri, signal } = request
  const response = await tools.fetch(`${origin}/api/v1/apps`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Second Wind',
      redirect_uris: redirectUri,
      scopes: scopes.join(' '),
    }),
    signal,
  })
  const app = requireOk(response).parse(appSchema)
  const { verifier, challenge } = createPkce(tools.random)
  const state = tools.random.id()
  const url = visitUrl({
    authorizeUrl: `${origin}/oauth/authorize`,
    clientId: app.client_id,
    redirectUri,
    scopes,
    state,
    challenge,
  })
  const pending: z.infer<typeof pendingSchema> = {
    server: origin,
    clientId: app.client_id,
    clientSecret: app.client_secret,
    redirectUri,
    state,
    verifier,
  }
  return { url, pending: new Secret(JSON.stringify(pending)), state }
}

export const tokenSignIn: SignIn = {
  kind: 'direct',
  name: 'token',
  title: 'Paste an access token',
  fields: [
    server,
    {
      name: 'accessToken',
      label: 'Access token',
      hint: 'Preferences, Development, New application; it needs the rights read and write',
      isSecret: true,
      fallback: null,
    },
  ],
  open: async (tools, values, signal) => {
    const accessToken = (values['accessToken'] ?? '').trim()
    if (accessToken === '') throw new InputError('accessToken', 'paste the token of your server')
    const credentials: Credentials = {
      server: parseServer(values['server'] ?? ''),
      clientId: null,
      clientSecret: null,
      accessToken,
      refreshToken: null,
      expiresAt: null,
    }
    return signIn(tools, credentials, signal)
  },
}

/** Tries the credentials by a probe. A token that is refused is a field that is wrong. */
async function signIn(
  tools: ConnectorTools,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<SignedIn> {
  const platform = new MastodonPlatform(tools)
  const secret = new Secret(JSON.stringify(credentials))
  const connection = {
    accountId: toAccountId('signing-in'),
    handle: '',
    credentials: secret,
    profile: null,
    renew: null,
  }
  try {
    return { credentials: secret, ...(await platform.probe({ connection, signal })) }
  } catch (error) {
    const fault: Fault = platform.classify(error, 'read', tools.clock.now())
    if (fault.code === 'credentials') {
      throw new InputError('accessToken', 'the server does not accept it; make a new one')
    }
    throw error
  }
}
