/** The public surface of the vault. */

export { rotateKeyFile } from './key-file.ts'
export { loadKeys } from './load-keys.ts'
export type { KeySource, LoadedKeys } from './load-keys.ts'
export { Vault, openLater } from './vault.ts'
export type { KeyRing, SealContext, Sealer } from './vault.ts'
export { VaultError } from './vault-error.ts'
export type { VaultErrorKind } from './vault-error.ts'
export { VaultKey } from './vault-key.ts'
