/** Owns an account's credentials on a server of the Mastodon family, as they are sealed. */

import { z } from 'zod'
import { InputError } from '../../core/input-error.ts'
import { tokenFields } from '../oauth/tokens.ts'

export const credentialsSchema = z.strictObject({
  /** Like https://mastodon.social, without a slash at the end. */
  server: z.string(),
  /** Null where the access token was pasted. */
  clientId: z.string().nullable(),
  clientSecret: z.string().nullable(),
  ...tokenFields,
})

export type Credentials = z.infer<typeof credentialsSchema>

/** Takes `mastodon.social`, an address of a page there, or a whole handle. */
export function parseServer(text: string): string {
  const trimmed = text.trim()
  const host = /^@?[^@/\s]+@([^@/\s]+)$/.exec(trimmed)?.[1] ?? trimmed
  const address = /^https?:\/\//i.test(host) ? host : `https://${host}`
  if (host === '' || !URL.canParse(address)) {
    throw new InputError('server', 'enter the name of your server, like mastodon.social')
  }
  const { origin, username, password } = new URL(address)
  if (username !== '' || password !== '') {
    throw new InputError('server', 'enter the name of the server only, without a login')
  }
  return origin
}
