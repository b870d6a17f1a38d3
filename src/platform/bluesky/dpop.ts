/**
 * Owns proofs of possession (RFC 9449): a signature over each request, so that a token which is
 * read on the way cannot be used by anyone else.
 */

import { createPrivateKey, generateKeyPairSync, hash, sign } from 'node:crypto'
import type { Instant } from '../../core/instant.ts'
import type { Json } from '../../core/json.ts'
import { parseWith } from '../../core/input-error.ts'
import { keySchema } from './credentials.ts'
import type { PrivateKey } from './credentials.ts'

export interface Proof {
  readonly key: PrivateKey
  readonly method: string
  readonly url: URL
  /** What the server last gave; null where it gave none yet. */
  readonly nonce: string | null
  /** Null where no token is sent along. */
  readonly accessToken: string | null
  readonly at: Instant
  /** Never used before. */
  readonly id: string
}

export function makeKey(): PrivateKey {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return parseWith(keySchema, privateKey.export({ format: 'jwk' }), 'key')
}

export function signProof({ key, method, url, nonce, accessToken, at, id }: Proof): string {
  const { kty, crv, x, y } = key
  const head = { typ: 'dpop+jwt', alg: 'ES256', jwk: { kty, crv, x, y } }
  const claims = {
    jti: id,
    htm: method,
    htu: `${url.origin}${url.pathname}`,
    iat: Math.floor(at / 1000),
    ...(nonce === null ? {} : { nonce }),
    ...(accessToken === null ? {} : { ath: hash('sha256', accessToken, 'base64url') }),
  }
  const content = `${encode(head)}.${encode(claims)}`
  const privateKey = createPrivateKey({ key: { ...key }, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(content), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return `${content}.${signature.toString('base64url')}`
}

function encode(value: Json): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}
