/** Tests that the key file is made once, privately and whole, and that rotation loses no key. */

import {
  chmodSync,
  mkdirSync,
  mkdtempDisposableSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { toAccountId } from '../core/ids.ts'
import { Secret } from '../core/secret.ts'
import { machineKeyFileSystem, makeKeyFile, readKeyFile, rotateKeyFile } from './key-file.ts'
import type { KeyFileSystem } from './key-file.ts'
import { VaultError } from './vault-error.ts'
import { VaultKey } from './vault-key.ts'
import { Vault } from './vault.ts'

const scratch = () => mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))
const modeOf = (path: string) => statSync(path).mode & 0o777
const firstKey = 'AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8='
const otherKey = Buffer.alloc(32, 'other key').toString('base64')

function errorOf(work: () => unknown): VaultError {
  try {
    work()
  } catch (error) {
    if (error instanceof VaultError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

function fullDisk(): Error {
  return Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
}

describe('making', () => {
  test('gives a file of mode 600 in a directory of mode 700, whatever the umask', () => {
    using directory = scratch()
    const path = join(directory.path, 'new/deep/keys')
    const before = process.umask(0)
    try {
      makeKeyFile(path)
    } finally {
      process.umask(before)
    }
    expect(modeOf(path)).toBe(0o600)
    expect(modeOf(join(directory.path, 'new'))).toBe(0o700)
    expect(modeOf(join(directory.path, 'new/deep'))).toBe(0o700)
    expect(readdirSync(join(directory.path, 'new/deep'))).toEqual(['keys'])
  })

  test('and reading it again gives the same key', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    const made = makeKeyFile(path)
    expect(readKeyFile(path)?.current.id).toBe(made.current.id)
    expect(made.older).toEqual([])
  })

  test('never overwrites: where another process was faster, its key is used', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    const overtaken: KeyFileSystem = {
      ...machineKeyFileSystem,
      linkSync: (from, to) => {
        writeFileSync(path, firstKey, { mode: 0o600 })
        machineKeyFileSystem.linkSync(from, to)
      },
    }
    expect(makeKeyFile(path, overtaken).current.id).toBe(VaultKey.parse(firstKey, 'key').id)
    expect(readFileSync(path, 'utf8')).toBe(firstKey)
    expect(readdirSync(directory.path)).toEqual(['keys'])
  })

  test('on a full disk leaves nothing behind', () => {
    using directory = scratch()
    const full: KeyFileSystem = {
      ...machineKeyFileSystem,
      fsyncSync: () => {
        throw fullDisk()
      },
    }
    const error = errorOf(() => makeKeyFile(join(directory.path, 'keys'), full))
    expect(error.kind).toBe('key_file')
    expect(error.message).toContain('could not be made (ENOSPC)')
    expect(readdirSync(directory.path)).toEqual([])
  })
})

describe('reading', () => {
  test('a missing file is null, and is not made', () => {
    using directory = scratch()
    expect(readKeyFile(join(directory.path, 'keys'))).toBeNull()
    expect(readdirSync(directory.path)).toEqual([])
  })

  test.each(['640', '604', '660', '644', '620', '601'])(
    'a file of mode %s is refused, with the way to repair it',
    (mode) => {
      using directory = scratch()
      const path = join(directory.path, 'keys')
      writeFileSync(path, firstKey)
      chmodSync(path, Number.parseInt(mode, 8))
      const error = errorOf(() => readKeyFile(path))
      expect(error.kind).toBe('open_key_file')
      expect(error.message).toContain(`chmod 600 ${path}`)
      expect(inspect(error)).not.toContain(firstKey)
    },
  )

  test.each(['600', '400'])('a file of mode %s is read', (mode) => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    writeFileSync(path, firstKey)
    chmodSync(path, Number.parseInt(mode, 8))
    expect(readKeyFile(path)?.current.id).toBe(VaultKey.parse(firstKey, 'key').id)
  })

  test('a link is followed, and the mode is that of the file it leads to', () => {
    using directory = scratch()
    const path = join(directory.path, 'link')
    writeFileSync(join(directory.path, 'keys'), firstKey, { mode: 0o600 })
    symlinkSync('keys', path)
    expect(readKeyFile(path)?.current.id).toBe(VaultKey.parse(firstKey, 'key').id)
    chmodSync(join(directory.path, 'keys'), 0o644)
    expect(errorOf(() => readKeyFile(path)).kind).toBe('open_key_file')
  })

  test('the first key seals, further ones open; comments and blank lines are passed over', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    writeFileSync(path, `# new\r\n${otherKey}\r\n\n  # old\n  ${firstKey}\n`, { mode: 0o600 })
    const ring = readKeyFile(path)
    expect(ring?.current.id).toBe(VaultKey.parse(otherKey, 'key').id)
    expect(ring?.older.map(({ id }) => id)).toEqual([VaultKey.parse(firstKey, 'key').id])
  })

  test('a bad line is named by its number and not shown', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    writeFileSync(path, `# keys\n${firstKey}\ncanary-line\n`, { mode: 0o600 })
    const error = errorOf(() => readKeyFile(path))
    expect(error.kind).toBe('bad_key')
    expect(error.message).toContain(`${path}, line 3: has 11 characters`)
    expect(inspect(error)).not.toContain('canary')
  })

  test('an empty file is refused and left as it is: a new key could open nothing', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    writeFileSync(path, '', { mode: 0o600 })
    expect(errorOf(() => readKeyFile(path)).message).toContain('holds no key')
    expect(readFileSync(path, 'utf8')).toBe('')
  })

  test('a directory in its place is refused', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    mkdirSync(path, { mode: 0o700 })
    expect(errorOf(() => readKeyFile(path)).message).toBe(`${path} is not a file`)
  })
})

describe('rotating', () => {
  test('puts a new key in front and keeps every older one', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    const first = makeKeyFile(path)
    const context = { accountId: toAccountId('account-1'), purpose: 'credentials' }
    const sealed = new Vault(first).seal(new Secret('token'), context)
    const second = rotateKeyFile(path)
    const third = rotateKeyFile(path)
    expect(third.older.map(({ id }) => id)).toEqual([second.current.id, first.current.id])
    expect(third.current.id).not.toBe(second.current.id)
    const vault = new Vault(readKeyFile(path) ?? first)
    expect(vault.needsReseal(sealed)).toBe(true)
    expect(vault.open(sealed, context).reveal()).toBe('token')
    expect(modeOf(path)).toBe(0o600)
    expect(readdirSync(directory.path)).toEqual(['keys'])
  })

  test('changes the file that a link leads to, and keeps the link', () => {
    using directory = scratch()
    const path = join(directory.path, 'link')
    makeKeyFile(join(directory.path, 'keys'))
    symlinkSync('keys', path)
    const ring = rotateKeyFile(path)
    expect(readKeyFile(join(directory.path, 'keys'))?.current.id).toBe(ring.current.id)
    expect(realpathSync(path)).toBe(realpathSync(join(directory.path, 'keys')))
  })

  test('is refused while another runs, so that neither loses the other key', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    makeKeyFile(path)
    const before = readFileSync(path, 'utf8')
    const seen: string[] = []
    const interrupted: KeyFileSystem = {
      ...machineKeyFileSystem,
      renameSync: (from, to) => {
        seen.push(errorOf(() => rotateKeyFile(path)).message)
        expect(readFileSync(path, 'utf8')).toBe(before)
        renameSync(from, to)
      },
    }
    expect(rotateKeyFile(path, interrupted).older).toHaveLength(1)
    expect(seen).toHaveLength(1)
    expect(seen[0]).toContain('another rotation runs or was interrupted')
  })

  test('keeps the key of a rotation that ended just before it began', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    makeKeyFile(path)
    let isFirst = true
    const overtaken: KeyFileSystem = {
      ...machineKeyFileSystem,
      openSync: (name, flags, mode) => {
        if (flags === 'wx' && isFirst) {
          isFirst = false
          rotateKeyFile(path)
        }
        return machineKeyFileSystem.openSync(name, flags, mode)
      },
    }
    expect(rotateKeyFile(path, overtaken).older).toHaveLength(2)
  })

  test.each(['writeFileSync', 'fsyncSync', 'renameSync'] as const)(
    'that fails in %s leaves the keys as they were, and can be tried again',
    (step) => {
      using directory = scratch()
      const path = join(directory.path, 'keys')
      makeKeyFile(path)
      const before = readFileSync(path, 'utf8')
      const full: KeyFileSystem = {
        ...machineKeyFileSystem,
        [step]: () => {
          throw fullDisk()
        },
      }
      expect(errorOf(() => rotateKeyFile(path, full)).message).toContain('rotated (ENOSPC)')
      expect(readFileSync(path, 'utf8')).toBe(before)
      expect(readdirSync(directory.path)).toEqual(['keys'])
      expect(rotateKeyFile(path).older).toHaveLength(1)
    },
  )

  test('needs a file', () => {
    using directory = scratch()
    const path = join(directory.path, 'keys')
    expect(errorOf(() => rotateKeyFile(path)).message).toContain('there is nothing to rotate')
  })
})
