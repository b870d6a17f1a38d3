/** Owns where keys come from: the environment first, else a key file, which is made if need be. */

import { machineKeyFileSystem, makeKeyFile, readKeyFile } from './key-file.ts'
import type { KeyRing } from './vault.ts'
import { VaultError } from './vault-error.ts'
import { VaultKey } from './vault-key.ts'

export interface KeySource {
  /** The process's environment, or as much of it as matters here. */
  readonly env: {
    readonly SECONDWIND_KEY?: string | undefined
    /** Keys that only open, separated by commas or spaces. */
    readonly SECONDWIND_OLD_KEYS?: string | undefined
  }
  /** Null where there is to be none. Neither read nor made while `SECONDWIND_KEY` is set. */
  readonly keyFile: string | null
}

export interface LoadedKeys {
  readonly ring: KeyRing
  /** `made` is worth a word to the owner: a file that has no copy yet. */
  readonly origin: 'environment' | 'file' | 'made'
}

export function loadKeys({ env, keyFile }: KeySource, fs = machineKeyFileSystem): LoadedKeys {
  const older = parseList(env.SECONDWIND_OLD_KEYS ?? '')
  // A variable that is set but empty is a mistake; to make a key file then would hide it.
  if (env.SECONDWIND_KEY !== undefined) {
    const current = VaultKey.parse(env.SECONDWIND_KEY, 'SECONDWIND_KEY')
    return { ring: { current, older }, origin: 'environment' }
  }
  if (keyFile === null) {
    throw new VaultError('bad_key', 'there is no key; set SECONDWIND_KEY, or name a key file')
  }
  const found = readKeyFile(keyFile, fs)
  const ring = found ?? makeKeyFile(keyFile, fs)
  return {
    ring: { current: ring.current, older: [...ring.older, ...older] },
    origin: found === null ? 'made' : 'file',
  }
}

function parseList(text: string): readonly VaultKey[] {
  return text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part, index) => VaultKey.parse(part, `SECONDWIND_OLD_KEYS, key ${index + 1}`))
}
