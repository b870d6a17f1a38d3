/** Checks proofs of possession as a server does (RFC 9449), with a number that it hands out. */

import { createPublicKey, hash, verify } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { z } from 'zod'
import { FakeError } from './fake-repo.ts'

const headSchema = z.strictObject({
  typ: z.literal('dpop+jwt'),
  alg: z.literal('ES256'),
  jwk: z.strictObject({
    kty: z.literal('EC'),
    crv: z.literal('P-256'),
    x: z.string(),
    y: z.string(),
  }),
})
const claimsSchema = z.strictObject({
  jti: z.string().min(16),
  htm: z.string(),
  htu: z.string(),
  iat: z.int(),
  nonce: z.string().optional(),
  ath: z.string().optional(),
})

/** An error that also hands out the number to use. */
class NonceError extends FakeError {
  readonly nonce: string

  constructor(status: number, nonce: string) {
    super(status, 'use_dpop_nonce', 'Authorization server requires nonce in DPoP proof')
    this.nonce = nonce
  }
}

export class ProofCheck {
  nonce = 'nonce-1'
  readonly #seen = new Set<string>()
  readonly #now: () => number
  /** The key that tokens were bound to, in its canonical form; null before there was one. */
  boundTo: string | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /** Throws what the server would answer with; else says which key signed. */
  check(request: IncomingMessage, url: string, token: string | null, refusal: 400 | 401): string {
    const [head = '', claims = '', signature = ''] = String(request.headers['dpop']).split('.')
    const { jwk } = headSchema.parse(decode(head))
    const key = createPublicKey({ key: jwk, format: 'jwk' })
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      { key, dsaEncoding: 'ieee-p1363' },
      Buffer.from(signature, 'base64url'),
    )
    const { jti, htm, htu, iat, nonce, ath } = claimsSchema.parse(decode(claims))
    const isFresh = !this.#seen.has(jti) && Math.abs(iat - this.#now() / 1000) < 60
    const expected = token === null ? undefined : hash('sha256', token, 'base64url')
    this.#seen.add(jti)
    if (!isSigned || !isFresh || htm !== request.method || htu !== url || ath !== expected) {
      throw new FakeError(refusal, 'invalid_dpop_proof', 'The proof is wrong')
    }
    if (nonce !== this.nonce) throw new NonceError(refusal, this.nonce)
    return JSON.stringify(jwk)
  }
}

function decode(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString())
}
