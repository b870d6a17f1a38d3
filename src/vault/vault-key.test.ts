/** Tests what is taken for a key, and that a bad one is explained without being shown. */

import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { VaultError } from './vault-error.ts'
import { VaultKey } from './vault-key.ts'

const keyBytes = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .filter((bytes) => new Set(bytes).size > 1)

function errorOf(work: () => unknown): VaultError {
  try {
    work()
  } catch (error) {
    if (error instanceof VaultError) return error
    throw error
  }
  throw new Error('it was taken for a key')
}

describe('a key', () => {
  test('is the same in hex, base64 and base64url, whatever surrounds it', () => {
    fc.assert(
      fc.property(keyBytes, (bytes) => {
        const buffer = Buffer.from(bytes)
        const hex = buffer.toString('hex')
        const base64 = buffer.toString('base64')
        const forms = [
          hex,
          hex.toUpperCase(),
          base64,
          base64.replace('=', ''),
          buffer.toString('base64url'),
          ` ${base64}\r\n`,
        ]
        const ids = forms.map((text) => VaultKey.parse(text, 'key').id)
        expect(new Set(ids).size).toBe(1)
        expect(ids[0]).toMatch(/^[0-9a-f]{16}$/)
      }),
    )
  })

  test('has an id that differs from key to key and is not a part of the key', () => {
    const texts = Array.from({ length: 100 }, () => VaultKey.make())
    const ids = texts.map((text) => VaultKey.parse(text, 'key').id)
    expect(new Set(ids).size).toBe(100)
    for (const [index, text] of texts.entries()) {
      expect(Buffer.from(text, 'base64').toString('hex')).not.toContain(ids[index])
    }
  })
})

describe('a bad key is refused', () => {
  const canary = 'canaryKEY0000000000000000000000000000000000'

  test.each([
    ['empty', '', 'is empty'],
    ['only spaces', '  \n', 'is empty'],
    ['a password', 'correct horse battery staple', 'has 28 characters'],
    ['31 bytes in hex', 'ab'.repeat(31), 'has 62 characters'],
    ['33 bytes in hex', 'ab'.repeat(33), 'has 66 characters'],
    ['31 bytes in base64', Buffer.alloc(31, 'x').toString('base64'), 'has 44 characters'],
    ['33 bytes in base64', Buffer.alloc(33, 'x').toString('base64'), 'has 44 characters'],
    ['hex with one letter that is none', `${'0a'.repeat(31)}0g`, 'has 64 characters'],
    ['base64 with a mistyped last character', `${canary.slice(0, 42)}1=`, 'has 44 characters'],
    ['all zero', '0'.repeat(64), 'is a placeholder'],
    ['one byte again and again', 'AQEB'.repeat(10) + 'AQE=', 'is a placeholder'],
  ])('%s', (_name, text, problem) => {
    const parse = () => VaultKey.parse(text, 'SECONDWIND_KEY')
    expect(parse).toThrow(VaultError)
    expect(parse).toThrow(`SECONDWIND_KEY: ${problem}`)
    expect(parse).toThrow('make one with `openssl rand -base64 32`')
  })

  test('without a word of it in the error', () => {
    fc.assert(
      fc.property(fc.base64String({ minLength: 12, maxLength: 80 }), (text) => {
        fc.pre(!/^.{43}=?$/.test(text) && !/^[0-9a-f]{64}$/i.test(text))
        expect(inspect(errorOf(() => VaultKey.parse(text, 'SECONDWIND_KEY')))).not.toContain(text)
      }),
    )
  })
})
