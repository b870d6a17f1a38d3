/** Checks what may be entered, and that no answer repeats a private key. */

import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { InputError } from '../../core/input-error.ts'
import { Secret } from '../../core/secret.ts'
import { CredentialsError, openCredentials, sealCredentials } from './credentials.ts'

const random = { fraction: () => 0, id: () => 'id' }
const nsec = 'nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5'
const hex = '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa'
const relays = 'wss://nos.lol'

function problemWith(key: string, addresses: string): InputError {
  try {
    sealCredentials(key, addresses)
  } catch (error) {
    if (error instanceof InputError) return error
    throw error
  }
  throw new Error('It was accepted')
}

describe('a key', () => {
  test('is the same however it is entered', () => {
    const keys = [nsec, ` ${nsec}\n`, nsec.toUpperCase(), hex, hex.toUpperCase()].map((key) => {
      return openCredentials(sealCredentials(key, relays), random).signer.publicKey
    })
    expect(new Set(keys).size).toBe(1)
  })

  test.each([
    ['a public key', 'npub10elfcs4fr0l0r8af98jlmgdh9c8tcxjvz9qkw038js35mp4dma8qzvjptg', 'nsec1'],
    ['an encrypted key', 'ncryptsec1qgg9947rlpvqu76pj5ecreduf9jxhselq2nae2kghhvd5g7dg', 'decrypt'],
    ['a mistyped key', nsec.replace('vl0', 'vl9'), 'begins with nsec1'],
    ['a key of zeros', '0'.repeat(64), 'not a private key'],
    ['a key beyond the curve', 'f'.repeat(64), 'not a private key'],
    ['nothing', '', 'not a private key'],
  ])('%s is refused with what to do, and not repeated', (_, entered, words) => {
    const error = problemWith(entered, relays)
    expect(error.field).toBe('key')
    expect(error.message).toContain(words)
    expect(entered !== '' && inspect(error).includes(entered)).toBe(false)
  })
})

describe('relays', () => {
  const relaysOf = (entered: string) => {
    return openCredentials(sealCredentials(nsec, entered), random).relays
  }

  test('are read with any spaces between them, each once', () => {
    const entered = ' wss://nos.lol,\nwss://nos.lol/  nos.lol wss://relay.example/path '
    expect(relaysOf(entered)).toEqual(['wss://nos.lol', 'wss://relay.example/path'])
  })

  test.each([
    ['none', ' , '],
    ['something else', 'https://nos.lol'],
    ['no address', 'wss://'],
    ['a login', 'wss://me:secret@nos.lol'],
    ['too many', Array.from({ length: 11 }, (_, index) => `wss://r${index}.example`).join(' ')],
  ])('%s are refused', (_, entered) => {
    const error = problemWith(nsec, entered)
    expect(error.field).toBe('relays')
    expect(error.message).not.toContain('me:secret')
  })
})

describe('stored credentials', () => {
  test.each([
    ['none', null],
    ['no JSON', new Secret(`${hex}!`)],
    ['no relays', new Secret(JSON.stringify({ privateKey: hex, relays: [] }))],
    ['no key', new Secret(JSON.stringify({ privateKey: '0'.repeat(64), relays: [relays] }))],
  ])('that are %s are refused, and not repeated', (_, stored) => {
    let thrown: unknown = null
    try {
      openCredentials(stored, random)
    } catch (error) {
      thrown = error
    }
    expect(thrown).toBeInstanceOf(CredentialsError)
    expect(inspect(thrown, { showHidden: true, depth: 9 })).not.toContain(hex)
  })

  test('show nothing when they are printed', () => {
    const { signer } = openCredentials(sealCredentials(nsec, relays), random)
    const shown = inspect(signer, { showHidden: true, depth: 9 }) + JSON.stringify(signer)
    expect(shown).not.toContain(hex)
    expect(shown).not.toContain('67 de a2')
  })
})
