/**
 * Owns what is inside the sealed credentials: a session by app password, or one by OAuth. The app
 * password itself is not kept; the session is renewed from its own refresh token.
 */

import { z } from 'zod'
import type { Json } from '../../core/json.ts'
import { Secret } from '../../core/secret.ts'
import type { Connection } from '../platform.ts'
import { UnusableCredentials } from './errors.ts'

const common = {
  /** The server that holds the account's records: `https://host`, without a path. */
  pds: z.url(),
  did: z.string().regex(/^did:/),
  edits: z.boolean(),
}

const appPasswordSchema = z.strictObject({
  kind: z.literal('app_password'),
  ...common,
  accessJwt: z.string().min(1),
  refreshJwt: z.string().min(1),
})

/** A private key on the curve P-256. */
export const keySchema = z.strictObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  d: z.string(),
})

const oauthSchema = z.strictObject({
  kind: z.literal('oauth'),
  ...common,
  issuer: z.url(),
  tokenEndpoint: z.url(),
  clientId: z.string(),
  accessToken: z.string().min(1),
  refreshToken: z.string().min(1),
  /** The tokens are worth nothing without a signature by this key. */
  key: keySchema,
})

const credentialsSchema = z.discriminatedUnion('kind', [appPasswordSchema, oauthSchema])

export type AppPasswordSession = z.infer<typeof appPasswordSchema>
export type OAuthSession = z.infer<typeof oauthSchema>
export type Credentials = z.infer<typeof credentialsSchema>
export type PrivateKey = z.infer<typeof keySchema>

export function seal(credentials: Credentials): Secret {
  return new Secret(JSON.stringify(credentials))
}

/** What is wrong with them is not said: any part of it may be secret. */
export function readCredentials(secret: Secret | null): Credentials {
  if (secret === null) throw new UnusableCredentials('There are no credentials; sign in first.')
  const parsed = credentialsSchema.safeParse(asJson(secret.reveal()))
  if (parsed.success) return parsed.data
  throw new UnusableCredentials(
    'The credentials are not those of a Bluesky account; sign in again.',
  )
}

export function credentialsOf({ credentials }: Connection): Credentials {
  return readCredentials(credentials)
}

function asJson(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return null
  }
}
