/**
 * Owns an event (NIP-01), which is all that there is on Nostr: its form, its id, which is the hash
 * of what it says, and its signature. The same content is the same event wherever it is sent.
 */

import { hash } from 'node:crypto'
import { schnorr } from '@noble/curves/secp256k1.js'
import { z } from 'zod'
import type { Random } from '../../core/random.ts'

export const kinds = {
  profile: 0,
  note: 1,
  deletion: 5,
  repost: 6,
  reaction: 7,
  genericRepost: 16,
  zapReceipt: 9735,
  authentication: 22_242,
} as const

export const hexKey = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')

export const eventSchema = z.object({
  id: hexKey,
  pubkey: hexKey,
  created_at: z.int().min(0),
  kind: z.int().min(0).max(65_535),
  tags: z.array(z.array(z.string())),
  content: z.string(),
  sig: z.string().regex(/^[0-9a-f]{128}$/),
})
export type NostrEvent = z.infer<typeof eventSchema>

/** What its author says; the rest of an event follows from it. */
export type Draft = Pick<NostrEvent, 'created_at' | 'kind' | 'tags' | 'content'>

/** Signs for one account. The private key stays inside. */
export interface Signer {
  readonly publicKey: string
  sign(draft: Draft): NostrEvent
}

export function createSigner(privateKey: Uint8Array, random: Random): Signer {
  const publicKey = Buffer.from(schnorr.getPublicKey(privateKey)).toString('hex')
  return {
    publicKey,
    sign: ({ created_at, kind, tags, content }) => {
      const draft = { created_at, kind, tags, content }
      const id = idOf(publicKey, draft)
      // Fresh each time, so that nothing can be learned from how long signing takes.
      const salt = hash('sha256', random.id(), 'buffer')
      const sig = schnorr.sign(Buffer.from(id, 'hex'), privateKey, salt)
      return { id, pubkey: publicKey, ...draft, sig: Buffer.from(sig).toString('hex') }
    },
  }
}

function idOf(publicKey: string, { created_at, kind, tags, content }: Draft): string {
  return hash('sha256', JSON.stringify([0, publicKey, created_at, kind, tags, content]), 'hex')
}

/** Whether its author wrote it. A relay can give out anything. */
export function isGenuine(event: NostrEvent): boolean {
  if (idOf(event.pubkey, event) !== event.id) return false
  const [sig, id, key] = [event.sig, event.id, event.pubkey].map((hex) => Buffer.from(hex, 'hex'))
  if (sig === undefined || id === undefined || key === undefined) return false
  try {
    return schnorr.verify(sig, id, key)
  } catch {
    // Not every number is a point on the curve.
    return false
  }
}
