/** Owns signing in: with the private key, and the relays at which the account publishes. */

import { toAccountId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import type { SignIn } from '../connector.ts'
import { defaultRelays, sealCredentials } from './credentials.ts'
import { NostrPlatform } from './nostr-platform.ts'

export const keySignIn: SignIn = {
  kind: 'direct',
  name: 'key',
  title: 'Private key',
  fields: [
    {
      name: 'key',
      label: 'Private key',
      hint: 'Begins with nsec1. Your client shows it under keys or backup. It never leaves here.',
      isSecret: true,
      fallback: null,
    },
    {
      name: 'relays',
      label: 'Relays',
      hint: 'Where you publish, with spaces between them; your client lists them.',
      isSecret: false,
      fallback: defaultRelays.join(' '),
    },
  ],
  async open(tools, { key, relays = '' }, signal) {
    if (key === undefined) throw new InputError('key', 'is missing')
    const entered = relays.trim() === '' ? defaultRelays.join(' ') : relays
    const credentials = sealCredentials(key, entered)
    const accountId = toAccountId('new')
    const connection = { accountId, handle: '', credentials, profile: null, renew: null }
    const { handle, profile } = await new NostrPlatform(tools).probe({ connection, signal })
    return { handle, credentials, profile }
  },
}
