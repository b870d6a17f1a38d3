/**
 * Owns sealing secrets for storage and opening them again: AES-256-GCM with a random nonce. The
 * account and the purpose are part of what is authenticated, so a sealed value that is moved to
 * another account does not open there. It reads no file and no environment; it is given its keys.
 */

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { AccountId } from '../core/ids.ts'
import { requireWellFormed } from '../core/ids.ts'
import { Secret } from '../core/secret.ts'
import { formatEnvelope, nonceBytes, parseEnvelope, version } from './envelope.ts'
import { VaultError } from './vault-error.ts'
import type { VaultKey } from './vault-key.ts'

/** What a value is sealed for. It opens for the same account and the same purpose only. */
export interface SealContext {
  readonly accountId: AccountId
  /** For example `credentials`: the secrets of one account cannot be exchanged either. */
  readonly purpose: string
}

/** One key seals. The older ones still open what was sealed before the last rotation. */
export interface KeyRing {
  readonly current: VaultKey
  readonly older: readonly VaultKey[]
}

/** What others need of a vault. */
export type Sealer = Pick<Vault, 'seal' | 'open' | 'needsReseal' | 'reseal'>

/** A vault that is opened at its first use: who never uses it needs no key. */
export function openLater(open: () => Vault): Sealer {
  let vault: Vault | null = null
  const get = () => (vault ??= open())
  return {
    seal: (secret, context) => get().seal(secret, context),
    open: (sealed, context) => get().open(sealed, context),
    needsReseal: (sealed) => get().needsReseal(sealed),
    reseal: (sealed, context) => get().reseal(sealed, context),
  }
}

export class Vault {
  readonly #current: VaultKey
  readonly #keys: ReadonlyMap<string, VaultKey>

  constructor({ current, older }: KeyRing) {
    this.#current = current
    this.#keys = new Map([current, ...older].map((key) => [key.id, key]))
  }

  seal(secret: Secret, context: SealContext): string {
    const key = this.#current
    const text = Buffer.from(requireWellFormed(secret.reveal(), 'secret'), 'utf8')
    const associated = associate(key.id, context)
    const nonce = randomBytes(nonceBytes)
    const ciphertext = key.encrypt(text, nonce, associated)
    return formatEnvelope({ keyId: key.id, binding: key.bind(associated), nonce, ciphertext })
  }

  open(sealed: string, context: SealContext): Secret {
    const { keyId, binding, nonce, ciphertext } = parseEnvelope(sealed)
    const key = this.#keys.get(keyId)
    if (key === undefined) throw unknownKey(keyId)
    const associated = associate(keyId, context)
    // Both checks are always made, so that the time taken does not tell which of them failed.
    const isBound = timingSafeEqual(key.bind(associated), binding)
    const text = key.decrypt(ciphertext, nonce, associated)
    if (!isBound) throw otherAccount()
    if (text === null) throw damaged()
    return new Secret(text.toString('utf8'))
  }

  /** True where the value was sealed before the last rotation. */
  needsReseal(sealed: string): boolean {
    return parseEnvelope(sealed).keyId !== this.#current.id
  }

  /** The same secret under the current key. Store it in place of the old value. */
  reseal(sealed: string, context: SealContext): string {
    return this.seal(this.open(sealed, context), context)
  }
}

/** JSON, because there no two contexts can run together into one text. */
function associate(keyId: string, { accountId, purpose }: SealContext): Buffer {
  const parts = [
    version,
    keyId,
    requireWellFormed(accountId, 'accountId'),
    requireWellFormed(purpose, 'purpose'),
  ]
  return Buffer.from(JSON.stringify(parts), 'utf8')
}

function unknownKey(keyId: string): VaultError {
  return new VaultError(
    'unknown_key',
    `the value was sealed with key ${keyId}, which was not given; add that key to ` +
      'SECONDWIND_OLD_KEYS or to the key file, or connect the account again',
  )
}

function otherAccount(): VaultError {
  return new VaultError(
    'other_account',
    'the value was sealed for another account or purpose and does not open here; if rows were ' +
      'moved by hand, put them back, or connect the account again',
  )
}

function damaged(): VaultError {
  return new VaultError(
    'damaged',
    'the value was changed or cut short after it was sealed; restore it from a backup, or ' +
      'connect the account again',
  )
}
