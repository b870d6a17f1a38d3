/**
 * Owns how secrets are made, hashed and compared. What is drawn at random is stored as a SHA-256;
 * a password, which people choose, is stored stretched by scrypt. Comparing takes the same time
 * whether or not they differ.
 */

import { hash, scrypt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import type { Random } from '../../core/random.ts'
import { Secret } from '../../core/secret.ts'

/** 256 bits out of two identifiers of 122 random bits each, in the alphabet of URLs. */
export function drawSecret(random: Random): Secret {
  return new Secret(hash('sha256', `${random.id()}:${random.id()}`, 'base64url'))
}

export function hashSecret(secret: Secret): string {
  return hash('sha256', secret.reveal(), 'hex')
}

/** Both are hashes of the same length, so their content decides and not their form. */
export function isSameHash(a: string, b: string): boolean {
  const left = Buffer.from(hash('sha256', a, 'hex'))
  const right = Buffer.from(hash('sha256', b, 'hex'))
  return timingSafeEqual(left, right)
}

export const storedPassword = z.object({
  salt: z.string(),
  hash: z.string(),
  cost: z.number(),
})
export type StoredPassword = z.infer<typeof storedPassword>

const blockSize = 8
const keyBytes = 32

export async function hashPassword(
  password: Secret,
  random: Random,
  cost: number,
): Promise<StoredPassword> {
  const salt = random.id()
  return { salt, cost, hash: await stretch(password, salt, cost) }
}

export async function isPassword(password: Secret, stored: StoredPassword): Promise<boolean> {
  return isSameHash(await stretch(password, stored.salt, stored.cost), stored.hash)
}

function stretch(password: Secret, salt: string, n: number): Promise<string> {
  // NFKC, so that the same password typed on another keyboard is the same.
  const text = password.reveal().normalize('NFKC')
  const options = { N: n, r: blockSize, p: 1, maxmem: 256 * n * blockSize }
  return new Promise((resolve, reject) => {
    scrypt(text, salt, keyBytes, options, (error, key) => {
      if (error === null) resolve(key.toString('base64url'))
      else reject(error)
    })
  })
}
