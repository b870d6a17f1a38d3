/** Owns the errors of the vault. None carries a secret, a key or a sealed value. */

/** What a person has to do differs with the kind. */
export type VaultErrorKind =
  /** A key that was given is missing, too short, mistyped or a placeholder. */
  | 'bad_key'
  /** The key file cannot be read or made. */
  | 'key_file'
  /** Others can read the key file. */
  | 'open_key_file'
  /** Not a sealed value, or one that lost a part. */
  | 'not_sealed'
  /** Sealed in a form that this program does not know. */
  | 'unknown_version'
  /** Sealed with a key that was not given. */
  | 'unknown_key'
  /** Sealed for another account or for another purpose. */
  | 'other_account'
  /** Changed since it was sealed. */
  | 'damaged'

export class VaultError extends Error {
  override readonly name = 'VaultError'
  readonly kind: VaultErrorKind

  constructor(kind: VaultErrorKind, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
