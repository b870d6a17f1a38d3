/** Checks ids and signatures against an event that others made, and against every change to one. */

import { describe, expect, test } from 'vitest'
import { createSigner, isGenuine } from './event.ts'
import type { NostrEvent } from './event.ts'

/** Made and published by another program in 2021. */
const published: NostrEvent = {
  content: 'uRuvYr585B80L6rSJiHocw==?iv=oh6LVqdsYYol3JfFnXTbPA==',
  created_at: 1_640_839_235,
  id: '2be17aa3031bdcb006f0fce80c146dea9c1c0268b0af2398bb673365c6444d45',
  kind: 4,
  pubkey: 'f86c44a2de95d9149b51c6a29afeabba264c18e2fa7c49de93424a0c56947785',
  sig:
    'a5d9290ef9659083c490b303eb7ee41356d8778ff19f2f91776c8dc4443388a6' +
    '4ffcf336e61af4c25c05ac3ae952d1ced889ed655b67790891222aaa15b99fdd',
  tags: [['p', '13adc511de7e1cfcf1c6b7f6365fb5a03442d7bcacf565ea57fa7770912c023d']],
}

let ids = 0
const random = { fraction: () => 0, id: () => String((ids += 1)) }
const privateKey = Buffer.from(
  '67dea2ed018072d675f5415ecfaed7d2597555e202d85b3d65ea4e58d2d92ffa',
  'hex',
)
const signer = createSigner(privateKey, random)

describe('an event', () => {
  test('that its author signed is genuine', () => {
    expect(isGenuine(published)).toBe(true)
  })

  test.each([
    ['content', { content: 'Something else' }],
    ['time', { created_at: published.created_at + 1 }],
    ['kind', { kind: 1 }],
    ['tags', { tags: [] }],
    ['author', { pubkey: signer.publicKey }],
    ['id', { id: '0'.repeat(64) }],
    ['signature', { sig: '0'.repeat(128) }],
  ])('with another %s is not', (_, change) => {
    expect(isGenuine({ ...published, ...change })).toBe(false)
  })

  test('by a key that is no point on the curve is not, and does no harm', () => {
    const draft = { created_at: 1, kind: 1, tags: [], content: '' }
    expect(isGenuine({ ...signer.sign(draft), pubkey: 'f'.repeat(64) })).toBe(false)
  })
})

describe('signing', () => {
  const draft = {
    created_at: 1_700_000_000,
    kind: 1,
    tags: [['e', 'ab'.repeat(32), '', 'root']],
    content: 'Line one\n"two" \\ 🌱 “naïve” \u2028 \u0001',
  }

  test('gives a genuine event with what was drafted', () => {
    const event = signer.sign(draft)
    expect(event).toMatchObject(draft)
    expect(isGenuine(event)).toBe(true)
  })

  test('gives the same id for the same draft, whatever the salt', () => {
    const [first, second] = [signer.sign(draft), signer.sign(draft)]
    expect(second.id).toBe(first.id)
    expect(second.sig).not.toBe(first.sig)
  })
})
