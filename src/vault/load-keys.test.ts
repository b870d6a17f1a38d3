/** Tests where keys are taken from, and that a mistake is never answered by making a new key. */

import { mkdtempDisposableSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadKeys } from './load-keys.ts'
import { VaultKey } from './vault-key.ts'

const scratch = () => mkdtempDisposableSync(join(tmpdir(), 'secondwind-'))
const texts = [1, 2, 3].map((seed) => Buffer.alloc(32, `key ${seed}`).toString('base64'))
const [first = '', second = '', third = ''] = texts
const idOf = (text: string) => VaultKey.parse(text, 'key').id

describe('with SECONDWIND_KEY', () => {
  test('the file is neither made nor read', () => {
    using directory = scratch()
    const keyFile = join(directory.path, 'keys')
    const made = loadKeys({ env: { SECONDWIND_KEY: first }, keyFile })
    expect(made.origin).toBe('environment')
    expect(made.ring.current.id).toBe(idOf(first))
    expect(readdirSync(directory.path)).toEqual([])
    writeFileSync(keyFile, 'not a key')
    expect(loadKeys({ env: { SECONDWIND_KEY: first }, keyFile }).ring.older).toEqual([])
  })

  test('older keys are given in a list', () => {
    const env = { SECONDWIND_KEY: `${first}\n`, SECONDWIND_OLD_KEYS: ` ${second}, ${third} ` }
    const { ring } = loadKeys({ env, keyFile: null })
    expect(ring.current.id).toBe(idOf(first))
    expect(ring.older.map(({ id }) => id)).toEqual([idOf(second), idOf(third)])
  })

  test.each(['', 'too short'])('%j is an error, not a reason to make a file', (text) => {
    using directory = scratch()
    const keyFile = join(directory.path, 'keys')
    expect(() => loadKeys({ env: { SECONDWIND_KEY: text }, keyFile })).toThrow('SECONDWIND_KEY: ')
    expect(readdirSync(directory.path)).toEqual([])
  })

  test('a bad older key is named by its place', () => {
    const env = { SECONDWIND_KEY: first, SECONDWIND_OLD_KEYS: `${second},nonsense` }
    expect(() => loadKeys({ env, keyFile: null })).toThrow('SECONDWIND_OLD_KEYS, key 2: has 8')
  })
})

describe('with a key file', () => {
  test('it is made once, and then read', () => {
    using directory = scratch()
    const source = { env: {}, keyFile: join(directory.path, 'state/keys') }
    const made = loadKeys(source)
    const found = loadKeys(source)
    expect([made.origin, found.origin]).toEqual(['made', 'file'])
    expect(found.ring.current.id).toBe(made.ring.current.id)
  })

  test('keys of SECONDWIND_OLD_KEYS open as well, after a move from there', () => {
    using directory = scratch()
    const keyFile = join(directory.path, 'keys')
    writeFileSync(keyFile, `${first}\n${second}\n`, { mode: 0o600 })
    const { ring } = loadKeys({ env: { SECONDWIND_OLD_KEYS: third }, keyFile })
    expect([ring.current, ...ring.older].map(({ id }) => id)).toEqual(texts.map(idOf))
  })

  test('a damaged one is not replaced', () => {
    using directory = scratch()
    const keyFile = join(directory.path, 'keys')
    writeFileSync(keyFile, 'damaged', { mode: 0o600 })
    expect(() => loadKeys({ env: {}, keyFile })).toThrow('line 1: has 7 characters')
    expect(readdirSync(directory.path)).toEqual(['keys'])
  })
})

test('with neither, the error says what can be given', () => {
  expect(() => loadKeys({ env: {}, keyFile: null })).toThrow(
    'there is no key; set SECONDWIND_KEY, or name a key file',
  )
})
