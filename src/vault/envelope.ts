/**
 * Owns the text form of a sealed value: `sw1.<key id>.<binding>.<nonce>.<ciphertext and tag>`.
 *
 * Exactly one text stands for one value: spare bits of base64 must be zero, so that even a change
 * that decodes to the same bytes is noticed.
 */

import { VaultError } from './vault-error.ts'

export const version = 'sw1'
export const bindingBytes = 16
export const nonceBytes = 12
export const tagBytes = 16

/** A sealed value taken apart. Nothing in it is secret, and nothing in it is proven yet. */
export interface Envelope {
  readonly keyId: string
  /** Tells for which account and purpose it was sealed, to those who have the key. */
  readonly binding: Buffer
  readonly nonce: Buffer
  /** Ends with the tag. */
  readonly ciphertext: Buffer
}

const anyVersion = /^sw\d+\./
const pattern = /^sw1\.([0-9a-f]{16})\.([\w-]+)\.([\w-]+)\.([\w-]+)$/

export function formatEnvelope({ keyId, binding, nonce, ciphertext }: Envelope): string {
  const bytes = [binding, nonce, ciphertext].map((part) => part.toString('base64url'))
  return [version, keyId, ...bytes].join('.')
}

export function parseEnvelope(sealed: string): Envelope {
  if (anyVersion.test(sealed) && !sealed.startsWith(`${version}.`)) {
    throw new VaultError(
      'unknown_version',
      'the value was sealed in a form that this program does not know; use the newer program',
    )
  }
  const match = pattern.exec(sealed)
  if (match === null) throw notSealed()
  const [binding, nonce, ciphertext] = match.slice(2).map(decode) as [Buffer, Buffer, Buffer]
  const isWhole =
    binding.length === bindingBytes && nonce.length === nonceBytes && ciphertext.length >= tagBytes
  const envelope = { keyId: match[1] ?? '', binding, nonce, ciphertext }
  if (!isWhole || formatEnvelope(envelope) !== sealed) throw notSealed()
  return envelope
}

const decode = (text: string) => Buffer.from(text, 'base64url')

function notSealed(): VaultError {
  return new VaultError(
    'not_sealed',
    'this is not a sealed value, or a part of it is missing; restore it from a backup, or ' +
      'connect the account again',
  )
}
