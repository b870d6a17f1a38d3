/** Tests that a sealed secret opens where it was sealed for and nowhere else, and never shows. */

import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toAccountId } from '../core/ids.ts'
import { Secret } from '../core/secret.ts'
import { VaultError } from './vault-error.ts'
import type { VaultErrorKind } from './vault-error.ts'
import { VaultKey } from './vault-key.ts'
import { Vault } from './vault.ts'
import type { SealContext } from './vault.ts'

const firstKeyText = '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f'
const secondKeyText = 'ff'.repeat(31) + '00'
const first = VaultKey.parse(firstKeyText, 'first')
const second = VaultKey.parse(secondKeyText, 'second')
const vault = new Vault({ current: first, older: [] })

const context: SealContext = { accountId: toAccountId('account-1'), purpose: 'credentials' }
const canary = 'canary-7f3a-secret'
const seal = (text = canary) => vault.seal(new Secret(text), context)

/** Sealed with the first key for the context above, by the first version of this program. */
const golden = [
  'sw1.a7a9d65320052652.oaRD8CKq3LLvEjg4tOtmow.pHUPj6YnmZNAnLwx',
  'kEAVJbPf7FJiAWn-94YNt7B_hwTf_juiAHk3zco',
].join('.')

const refusals: readonly VaultErrorKind[] = [
  'not_sealed',
  'unknown_version',
  'unknown_key',
  'other_account',
  'damaged',
]

const contexts = fc.record({
  accountId: fc.string({ minLength: 1, unit: 'grapheme' }).map((text) => toAccountId(text)),
  purpose: fc.string({ unit: 'grapheme' }),
})

function errorOf(work: () => unknown): VaultError {
  try {
    work()
  } catch (error) {
    if (error instanceof VaultError) return error
    throw error
  }
  throw new Error('it opened')
}

/** How opening fails; and the error shows neither secret nor key nor ciphertext. */
function refusalOf(sealed: string, where: SealContext = context): VaultErrorKind {
  const error = errorOf(() => vault.open(sealed, where))
  const ciphertext = sealed.split('.')[4] ?? ''
  const hidden = [canary, firstKeyText, ciphertext].filter((text) => text.length > 8)
  for (const shown of [inspect(error, { depth: 9 }), JSON.stringify(error), error.stack ?? '']) {
    for (const text of hidden) expect(shown).not.toContain(text)
  }
  return error.kind
}

describe('sealing', () => {
  test('any text comes back for any account and purpose', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), contexts, (text, where) => {
        expect(vault.open(vault.seal(new Secret(text), where), where).reveal()).toBe(text)
      }),
    )
  })

  test('a text of a megabyte comes back', () => {
    const text = 'ä€😀'.repeat(120_000)
    expect(vault.open(seal(text), context).reveal()).toBe(text)
  })

  test('the same secret is sealed differently each time, with another nonce', () => {
    const sealed = Array.from({ length: 200 }, () => seal())
    expect(new Set(sealed).size).toBe(200)
    expect(new Set(sealed.map((text) => text.split('.')[3])).size).toBe(200)
  })

  test('a secret that UTF-8 would change is refused, without being shown', () => {
    expect(() => seal(`${canary}\ud800`)).toThrow('secret: holds half of a surrogate pair')
  })

  test('what the first version sealed still opens', () => {
    expect(vault.open(golden, context).reveal()).toBe('golden secret')
  })
})

describe('a sealed value is refused', () => {
  test('after any single bit of it was changed', () => {
    fc.assert(
      fc.property(fc.string(), contexts, fc.nat(), (text, where, position) => {
        const bytes = Buffer.from(vault.seal(new Secret(text), where), 'latin1')
        const bit = position % (bytes.length * 8)
        bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        expect(refusals).toContain(refusalOf(bytes.toString('latin1'), where))
      }),
      { numRuns: 1000 },
    )
  })

  test('after any single bit of its ciphertext or tag was changed, as damaged', () => {
    const parts = golden.split('.')
    const bytes = Buffer.from(parts[4] ?? '', 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const sealed = [...parts.slice(0, 4), changed.toString('base64url')].join('.')
      expect(refusalOf(sealed)).toBe('damaged')
    }
  })

  test('after it was cut short anywhere', () => {
    for (let length = 0; length < golden.length; length += 1) {
      expect(['not_sealed', 'damaged']).toContain(refusalOf(golden.slice(0, length)))
    }
  })

  test('after anything was put behind or before it', () => {
    for (const changed of [`${golden}A`, `${golden}=`, `${golden}\n`, ` ${golden}`]) {
      expect(['not_sealed', 'damaged']).toContain(refusalOf(changed))
    }
  })

  test('where spare bits of its last character are set', () => {
    // 13 + 16 bytes leave the last character two spare bits; a lax decoder ignores them.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(golden.at(-1) ?? '')
    expect(last % 4).toBe(0)
    const changed = golden.slice(0, -1) + (alphabet[last + 1] ?? '')
    expect(Buffer.from(changed.split('.')[4] ?? '', 'base64url')).toEqual(
      Buffer.from(golden.split('.')[4] ?? '', 'base64url'),
    )
    expect(refusalOf(changed)).toBe('not_sealed')
  })

  test.each([
    ['another account', { ...context, accountId: toAccountId('account-2') }],
    ['another purpose', { ...context, purpose: 'webhook' }],
    [
      'account and purpose run together',
      { accountId: toAccountId('account-1c'), purpose: 'redentials' },
    ],
    ['a quote in the account', { ...context, accountId: toAccountId('account-1"') }],
  ])('for %s', (_name, where) => {
    expect(refusalOf(golden, where)).toBe('other_account')
  })

  test('for every other account and purpose', () => {
    fc.assert(
      fc.property(contexts, contexts, (one, other) => {
        fc.pre(one.accountId !== other.accountId || one.purpose !== other.purpose)
        const sealed = vault.seal(new Secret(canary), one)
        expect(refusalOf(sealed, other)).toBe('other_account')
      }),
    )
  })

  test('with the binding of another account copied onto it', () => {
    const other = { ...context, accountId: toAccountId('account-2') }
    const theirs = vault.seal(new Secret(canary), other).split('.')
    const parts = golden.split('.')
    const moved = [parts[0], parts[1], theirs[2], parts[3], parts[4]].join('.')
    expect(refusalOf(moved, other)).toBe('damaged')
  })

  test('when its key was not given, and the error names the key', () => {
    const stranger = new Vault({ current: second, older: [] })
    const error = errorOf(() => stranger.open(golden, context))
    expect(error.kind).toBe('unknown_key')
    expect(error.message).toContain(`sealed with key ${first.id}, which was not given`)
  })

  test('when it names another key than the one it was sealed with', () => {
    const both = new Vault({ current: second, older: [first] })
    const renamed = golden.replace(first.id, second.id)
    expect(errorOf(() => both.open(renamed, context)).kind).toBe('other_account')
  })

  test('when a newer program sealed it', () => {
    expect(refusalOf(golden.replace('sw1.', 'sw2.'))).toBe('unknown_version')
  })

  test.each(['', 'sw1', 'plain password', '{"token":"x"}', 'sw1....'])(
    'when it never was one: %j',
    (text) => {
      expect(refusalOf(text)).toBe('not_sealed')
    },
  )
})

describe('rotation', () => {
  const rotated = new Vault({ current: second, older: [first] })

  test('an older key still opens, and the value asks to be sealed again', () => {
    const sealed = seal()
    expect(vault.needsReseal(sealed)).toBe(false)
    expect(rotated.needsReseal(sealed)).toBe(true)
    expect(rotated.open(sealed, context).reveal()).toBe(canary)
  })

  test('a resealed value is under the current key only', () => {
    const resealed = rotated.reseal(seal(), context)
    expect(rotated.needsReseal(resealed)).toBe(false)
    expect(rotated.open(resealed, context).reveal()).toBe(canary)
    expect(errorOf(() => vault.open(resealed, context)).kind).toBe('unknown_key')
    expect(new Vault({ current: second, older: [] }).open(resealed, context).reveal()).toBe(canary)
  })

  test('a value of another account is not resealed', () => {
    const other = { ...context, accountId: toAccountId('account-2') }
    expect(errorOf(() => rotated.reseal(seal(), other)).kind).toBe('other_account')
  })
})

test('neither vault, key nor opened secret shows a secret, however it is printed', () => {
  const opened = vault.open(seal(), context)
  const all = { vault, first, opened, sealed: seal() }
  const shown = [inspect(all, { depth: 9, showHidden: true }), JSON.stringify(all), String(opened)]
  const keyForms = ['hex', 'base64', 'base64url'] as const
  const keys = keyForms.map((form) => Buffer.from(firstKeyText, 'hex').toString(form))
  for (const text of shown) {
    for (const secret of [canary, ...keys, Buffer.from(canary).toString('base64url')]) {
      expect(text).not.toContain(secret)
    }
  }
  expect(shown[1]).toContain('"opened":"[redacted]"')
  expect(shown[1]).toContain(`"first":{"id":"${first.id}"}`)
})
