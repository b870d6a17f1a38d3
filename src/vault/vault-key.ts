/**
 * Owns one key: reading it from text, naming it, and the two things it does. Its bytes never leave
 * this file; printed or serialised, a key shows its id only.
 */

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { bindingBytes, tagBytes, version } from './envelope.ts'
import { VaultError } from './vault-error.ts'

const keyBytes = 32
const idBytes = 8
const cipher = 'aes-256-gcm'
const howToMake = 'make one with `openssl rand -base64 32`'

/** A key of 256 bits. What is used of it is derived, so that no two uses share bytes. */
export class VaultKey {
  /** Derived from the key, so that nobody has to number keys, and one cannot pass for another. */
  readonly id: string
  readonly #sealing: KeyObject
  readonly #binding: KeyObject

  private constructor(bytes: Buffer) {
    this.id = derive(bytes, 'id', idBytes).toString('hex')
    this.#sealing = createSecretKey(derive(bytes, 'seal', keyBytes))
    this.#binding = createSecretKey(derive(bytes, 'bind', keyBytes))
  }

  /** Reads 64 hex digits, or 44 characters of base64 with or without its `=`. */
  static parse(text: string, field: string): VaultKey {
    const trimmed = text.trim()
    const bytes = decodeKey(trimmed)
    if (bytes === null) {
      throw new VaultError(
        'bad_key',
        `${field}: ${trimmed === '' ? 'is empty' : `has ${trimmed.length} characters`}; a key is ` +
          `32 random bytes, as 64 hex digits or 44 characters of base64; ${howToMake}`,
      )
    }
    if (bytes.every((byte) => byte === bytes[0])) {
      throw new VaultError('bad_key', `${field}: is a placeholder, not a random key; ${howToMake}`)
    }
    return new VaultKey(bytes)
  }

  /** The text of a new key. It is in the open: for the key file only. */
  static make(): string {
    return randomBytes(keyBytes).toString('base64')
  }

  /** A label that only this key gives to this context. */
  bind(context: Buffer): Buffer {
    return createHmac('sha256', this.#binding).update(context).digest().subarray(0, bindingBytes)
  }

  /** Under one key a nonce must never repeat; at random ones, 2^32 values stay far from that. */
  encrypt(text: Buffer, nonce: Buffer, associated: Buffer): Buffer {
    const stream = createCipheriv(cipher, this.#sealing, nonce, { authTagLength: tagBytes })
    stream.setAAD(associated)
    return Buffer.concat([stream.update(text), stream.final(), stream.getAuthTag()])
  }

  /** Null where the value, the nonce or what is associated with it is not what was sealed. */
  decrypt(ciphertext: Buffer, nonce: Buffer, associated: Buffer): Buffer | null {
    const stream = createDecipheriv(cipher, this.#sealing, nonce, { authTagLength: tagBytes })
    stream.setAAD(associated)
    stream.setAuthTag(ciphertext.subarray(-tagBytes))
    const text = stream.update(ciphertext.subarray(0, -tagBytes))
    try {
      return Buffer.concat([text, stream.final()])
    } catch {
      return null
    }
  }
}

function derive(bytes: Buffer, use: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', bytes, '', `secondwind vault ${version} ${use}`, length))
}

function decodeKey(text: string): Buffer | null {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, 'hex')
  if (!/^[\w+/-]{43}=?$/.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  // The last character has two spare bits. Where they are set, it was mistyped.
  const again = bytes.toString('base64url')
  const given = text.replace('=', '').replaceAll('+', '-').replaceAll('/', '_')
  return bytes.length === keyBytes && again === given ? bytes : null
}
