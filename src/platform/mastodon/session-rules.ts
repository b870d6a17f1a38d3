/** Owns how an account's tokens are used and replaced on a server of the Mastodon family. */

import type { ConnectorTools } from '../connector.ts'
import type { SessionRules } from '../oauth/session.ts'
import { requestTokens } from '../oauth/tokens.ts'
import { credentialsSchema } from './credentials.ts'
import type { Credentials } from './credentials.ts'

export function sessionRules({
  fetch,
  clock,
}: Pick<ConnectorTools, 'fetch' | 'clock'>): SessionRules<Credentials> {
  return {
    fetch,
    clock,
    schema: credentialsSchema,
    url: ({ server }, path) => `${server}${path}`,
    // Mastodon's own tokens do not run out; those of some relatives do.
    refresh: (current, signal) =>
      requestTokens(
        fetch,
        {
          url: `${current.server}/oauth/token`,
          form: {
            grant_type: 'refresh_token',
            refresh_token: current.refreshToken ?? '',
            client_id: current.clientId ?? '',
            client_secret: current.clientSecret ?? '',
          },
          signal,
        },
        clock.now(),
      ),
  }
}
