/**
 * Owns what an account is entered with: its private key and its relays. Both are kept together,
 * sealed, because neither is of use without the other.
 */

import { secp256k1 } from '@noble/curves/secp256k1.js'
import { z } from 'zod'
import { InputError, shown } from '../../core/input-error.ts'
import type { Random } from '../../core/random.ts'
import { Secret } from '../../core/secret.ts'
import { decodeBech32 } from './bech32.ts'
import { createSigner } from './event.ts'
import type { Signer } from './event.ts'

/** Large, open to everyone, and run by different people. */
export const defaultRelays: readonly string[] = [
  'wss://relay.damus.io',
  'wss://nos.lol',
  'wss://relay.primal.net',
]

/** Every relay is asked for every reading. */
const mostRelays = 10

const storedSchema = z.strictObject({
  privateKey: z.string().regex(/^[0-9a-f]{64}$/),
  relays: z.array(z.string().min(1)).min(1).max(mostRelays),
})

export interface Credentials {
  readonly signer: Signer
  readonly relays: readonly string[]
}

/** The stored credentials cannot be used. Says nothing of what they hold. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}

export function openCredentials(stored: Secret | null, random: Random): Credentials {
  if (stored === null) throw new CredentialsError('There is no key to sign with.')
  const parsed = storedSchema.safeParse(parseJson(stored.reveal()))
  const bytes = parsed.success ? Buffer.from(parsed.data.privateKey, 'hex') : null
  if (!parsed.success || bytes === null || !secp256k1.utils.isValidSecretKey(bytes)) {
    throw new CredentialsError('The stored key cannot be read; sign in again.')
  }
  return { signer: createSigner(bytes, random), relays: parsed.data.relays }
}

export function sealCredentials(key: string, relays: string): Secret {
  const privateKey = Buffer.from(parsePrivateKey(key)).toString('hex')
  return new Secret(JSON.stringify({ privateKey, relays: parseRelays(relays) }))
}

/** Never shows what was entered. */
function parsePrivateKey(entered: string): Uint8Array {
  const text = entered.trim()
  if (/^npub1/i.test(text)) {
    throw new InputError('key', 'is the public key; the private one begins with nsec1')
  }
  if (/^ncryptsec1/i.test(text)) {
    throw new InputError('key', 'is encrypted; decrypt it first, so that it begins with nsec1')
  }
  const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : decodePrivateKey(text)
  if (bytes === null || !secp256k1.utils.isValidSecretKey(bytes)) {
    const problem = 'is not a private key; it begins with nsec1, or has 64 hexadecimal digits'
    throw new InputError('key', problem)
  }
  return bytes
}

function decodePrivateKey(text: string): Uint8Array | null {
  const decoded = decodeBech32(text)
  return decoded?.prefix === 'nsec' ? decoded.bytes : null
}

/** Several, with spaces or commas between them; each once, in the form in which URLs are. */
function parseRelays(entered: string): string[] {
  const relays = new Set(entered.split(/[\s,]+/).flatMap((text) => parseRelay(text)))
  if (relays.size === 0) throw new InputError('relays', 'is empty; enter one like wss://nos.lol')
  if (relays.size > mostRelays) {
    throw new InputError('relays', `has ${relays.size} of them; enter at most ${mostRelays}`)
  }
  return [...relays]
}

function parseRelay(text: string): string[] {
  if (text === '') return []
  const address = text.includes('://') ? text : `wss://${text}`
  const url = URL.canParse(address) ? new URL(address) : null
  if (url === null || !/^wss?:$/.test(url.protocol)) {
    throw new InputError('relays', `${shown(text)} is not a relay like wss://nos.lol`)
  }
  if (url.username !== '' || url.password !== '') {
    throw new InputError('relays', 'an address has a login in it, which no relay takes')
  }
  url.hash = ''
  return [url.href.replace(/\/$/, '')]
}

/** Null where it is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
