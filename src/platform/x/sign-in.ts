/** Owns signing in to X: the person agrees on its page, in the name of an app of their own. */

import { z } from 'zod'
import { toAccountId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { Secret } from '../../core/secret.ts'
import type { SignIn } from '../connector.ts'
import { codeFrom, visitUrl } from '../oauth/code-visit.ts'
import { createPkce } from '../oauth/pkce.ts'
import { parseCredentials } from '../oauth/session.ts'
import type { Addresses } from './addresses.ts'
import { exchangeTokens } from './credentials.ts'
import type { Credentials } from './credentials.ts'
import { XPlatform } from './x-platform.ts'

const scopes = ['tweet.read', 'tweet.write', 'users.read', 'offline.access']

const pendingSchema = z.strictObject({
  clientId: z.string(),
  clientSecret: z.string().nullable(),
  redirectUri: z.string(),
  state: z.string(),
  verifier: z.string(),
})

export function browserSignIn(addresses: Addresses): SignIn {
  return {
    kind: 'browser',
    name: 'browser',
    title: 'Agree on the page of X',
    fields: [
      {
        name: 'clientId',
        label: 'Client ID',
        hint: 'Of your app on console.x.com, under keys and tokens, OAuth 2.0',
        isSecret: false,
        fallback: null,
      },
      {
        name: 'clientSecret',
        label: 'Client secret',
        hint: 'Only where the app is a confidential client; leave it empty otherwise',
        isSecret: true,
        fallback: '',
      },
    ],
    begin: async ({ random }, { values, redirectUri }) => {
      const clientId = (values['clientId'] ?? '').trim()
      if (clientId === '')
        throw new InputError('clientId', 'copy it from your app on console.x.com')
      const clientSecret = (values['clientSecret'] ?? '').trim() || null
      const { verifier, challenge } = createPkce(random)
      const state = random.id()
      const authorizeUrl = addresses.authorize
      const url = visitUrl({ authorizeUrl, clientId, redirectUri, scopes, state, challenge })
      const pending: z.infer<typeof pendingSchema> = {
        clientId,
        clientSecret,
        redirectUri,
        state,
        verifier,
      }
      return { url, pending: new Secret(JSON.stringify(pending)), state }
    },
    finish: async (tools, { pending, answer }, signal) => {
      const { redirectUri, state, verifier, ...client } = parseCredentials(pending, pendingSchema)
      const code = codeFrom(answer, state)
      const form = {
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }
      const tokens = await exchangeTokens(tools, addresses, { client, form, signal })
      const credentials: Credentials = { ...client, ...tokens }
      const secret = new Secret(JSON.stringify(credentials))
      const connection = {
        accountId: toAccountId('signing-in'),
        handle: '',
        credentials: secret,
        profile: null,
        renew: null,
      }
      const platform = new XPlatform(tools, addresses)
      return { credentials: secret, ...(await platform.probe({ connection, signal })) }
    },
  }
}
