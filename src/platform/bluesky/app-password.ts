/** Owns signing in with an app password. The password is exchanged at once and not kept. */

import { z } from 'zod'
import { InputError } from '../../core/input-error.ts'
import { Secret } from '../../core/secret.ts'
import type { SignIn, SignInField } from '../connector.ts'
import { AnswerError } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import { seal } from './credentials.ts'
import { parseHandle, parseServer, readDocument } from './identity.ts'
import type { Places } from './identity.ts'
import type { Profile } from './profile.ts'
import { editsField, handleField, valueOf, wantsEdits } from './sign-in-fields.ts'
import { errorNameOf } from './xrpc.ts'

const passwordField: SignInField = {
  name: 'password',
  label: 'App password',
  hint: 'From Settings → Privacy and security → App passwords. Never your main password.',
  isSecret: true,
  fallback: null,
}

const serverField = ({ service }: Places): SignInField => ({
  name: 'server',
  label: 'Server',
  hint: 'Where the account was made, if not at Bluesky itself.',
  isSecret: false,
  fallback: service,
})

const appPassword = /^[a-z0-9]{4}(-[a-z0-9]{4}){3}$/i

export function appPasswordSignIn(places: Places): SignIn {
  const server = serverField(places)
  return {
    kind: 'direct',
    name: 'app-password',
    title: 'App password',
    fields: [handleField, passwordField, server, editsField],
    async open({ fetch }, values, signal) {
      const identifier = parseHandle(valueOf(values, handleField), handleField.name)
      const password = parsePassword(valueOf(values, passwordField))
      const edits = wantsEdits(values)
      const origin = parseServer(valueOf(values, server), server.name)
      const response = await fetch(new URL('/xrpc/com.atproto.server.createSession', origin), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: new Secret(JSON.stringify({ identifier, password })),
        signal,
      })
      requireAccepted(response)
      const { did, handle, accessJwt, refreshJwt, didDoc } = response.parse(sessionSchema)
      const pds = readDocument(didDoc).pds ?? origin
      const profile: Profile = { did, pds, edits }
      const session = { kind: 'app_password', pds, did, edits, accessJwt, refreshJwt } as const
      return { handle, credentials: seal(session), profile }
    },
  }
}

/** Who has the main password has the whole account, which is more than we want to hold. */
function parsePassword(text: string): string {
  if (appPassword.test(text)) return text
  throw new InputError(passwordField.name, 'is not an app password like abcd-efgh-ijkl-mnop')
}

const sessionSchema = z.object({
  did: z.string().regex(/^did:/),
  handle: z.string(),
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
  didDoc: z.unknown().optional(),
})

function requireAccepted(response: GuardedResponse): void {
  if (response.ok) return
  switch (errorNameOf(response)) {
    case 'AuthenticationRequired':
      throw new InputError(passwordField.name, 'is not accepted for this handle; check both')
    case 'AccountTakedown':
      throw new InputError(handleField.name, 'belongs to an account that was taken down')
    default:
      throw new AnswerError(response)
  }
}
