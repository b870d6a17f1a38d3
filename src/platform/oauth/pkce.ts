/**
 * Owns the proof that whoever redeems a code is whoever asked for it (RFC 7636, S256 only). The
 * verifier is a secret until then; the challenge may be seen by anyone.
 */

import { hash } from 'node:crypto'
import type { Random } from '../../core/random.ts'

export interface Pkce {
  readonly verifier: string
  readonly challenge: string
}

/** Two ids of 128 bits, without their hyphens: 64 characters where 43 to 128 are allowed. */
export function createPkce(random: Random): Pkce {
  const verifier = `${random.id()}${random.id()}`.replaceAll('-', '')
  return { verifier, challenge: challengeOf(verifier) }
}

export function challengeOf(verifier: string): string {
  return hash('sha256', verifier, 'base64url')
}
