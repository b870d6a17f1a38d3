/** Signs in with a key: what is asked for, what is found out, and what never leaves. */

import { inspect } from 'node:util'
import { describe, expect, test } from 'vitest'
import { InputError } from '../../src/core/input-error.ts'
import type { SignIn } from '../../src/platform/connector.ts'
import { nostr } from '../../src/platform/nostr/index.ts'
import { encodeBech32 } from '../../src/platform/nostr/bech32.ts'
import { FakeRelay } from './nostr/fake-relay.ts'
import { owner, privateKey, strangersEvent } from './nostr/nostr-suite.ts'
import { nowSeconds, publish, Scene } from './nostr/scene.ts'

const { signal } = new AbortController()
const nsec = encodeBech32('nsec', Buffer.from(privateKey, 'hex'))

function keySignIn(): SignIn & { readonly kind: 'direct' } {
  const [signIn] = nostr.signIns
  if (signIn?.kind !== 'direct') throw new Error('There is no direct sign-in')
  return signIn
}

describe('signing in', () => {
  test('gives the account’s name, what its relays can do, and sealed credentials', async () => {
    const information = { supported_nips: [1, 45], limitation: { max_limit: 300 } }
    await using one = await FakeRelay.start({ information })
    await using two = await FakeRelay.start()
    const scene = new Scene([one.url, two.url])
    const profile = (name: string, created_at: number) => {
      return { kind: 0, content: JSON.stringify({ name }), created_at }
    }
    publish([one.store], profile('Old name', nowSeconds - 10))
    publish([two.store], profile(' Anna ', nowSeconds - 5))
    const forged = { tags: [], ...profile('Forged', nowSeconds) }
    one.store.put({ ...strangersEvent('forged', forged), pubkey: owner.publicKey })
    const values = { key: nsec, relays: `${one.url} ${two.url}` }
    const signedIn = await keySignIn().open(scene.tools, values, signal)
    expect(signedIn.handle).toBe('Anna')
    expect(signedIn.profile).toMatchObject({
      relays: [
        { url: one.url, canCount: true, maximumEvents: 300 },
        { url: two.url, canCount: false, maximumEvents: null },
      ],
    })
    expect(inspect(signedIn, { depth: 9 }) + JSON.stringify(signedIn)).not.toContain(privateKey)
    const connection = { ...scene.options.connection, ...signedIn }
    const since = 0
    await expect(scene.platform.discover({ connection, signal, since })).resolves.toEqual([])
  })

  test.each([
    ['no profile', null],
    ['no name in it', '{}'],
    ['no JSON', 'Anna'],
  ])('goes by the public key where there is %s', async (_, content) => {
    await using relay = await FakeRelay.start()
    const scene = new Scene([relay.url])
    if (content !== null) publish([relay.store], { kind: 0, content })
    const { handle } = await scene.platform.probe(scene.options)
    expect(handle).toBe(encodeBech32('npub', Buffer.from(owner.publicKey, 'hex')))
  })

  test('offers relays where none are entered, and asks for the key without showing it', () => {
    const [key, relays] = keySignIn().fields
    expect([key?.isSecret, key?.fallback]).toEqual([true, null])
    expect(relays?.fallback).toMatch(/^wss:\/\/\S+( wss:\/\/\S+)+$/)
  })

  test('names the field that is wrong, before anything is sent', async () => {
    await using relay = await FakeRelay.start()
    const { tools } = new Scene([relay.url])
    const open = (key: string, relays: string) => {
      return keySignIn()
        .open(tools, { key, relays }, signal)
        .catch((error: unknown) => error)
    }
    const errors = [await open(`${nsec}x`, relay.url), await open(nsec, 'https://a.example')]
    expect(errors.every((error) => error instanceof InputError)).toBe(true)
    expect(errors.map((error) => (error as InputError).field)).toEqual(['key', 'relays'])
    expect(inspect(errors)).not.toContain(nsec)
    expect(relay.received).toEqual([])
  })

  test('fails where no relay answers', async () => {
    const relay = await FakeRelay.start()
    await relay[Symbol.asyncDispose]()
    const scene = new Scene([relay.url])
    const fault = await scene.faultOf(scene.platform.probe(scene.options), 'read')
    expect(fault).toMatchObject({ code: 'network_error', landed: 'no' })
  })
})
