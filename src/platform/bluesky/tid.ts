/**
 * Owns the record keys that we choose: 53 bits of microseconds and 10 bits of a clock's number, in
 * an alphabet that sorts by time. Chosen before anything is sent, such a key makes a repeat of the
 * write recognisable (I1).
 */

import { hash } from 'node:crypto'
import { minuteMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'

const alphabet = '234567abcdefghijklmnopqrstuvwxyz'
const pattern = /^[2-7a-j][2-7a-z]{12}$/

/** The earliest moment that is taken for one: before it there was no network. */
const earliestMs = Date.UTC(2022, 0)

/**
 * As many keys as asked for, in order. They follow from the moment of preparation and from what is
 * written: two actions of the same millisecond get different ones.
 */
export function recordKeys(seed: string, preparedAt: Instant, count: number): readonly string[] {
  const digest = BigInt(`0x${hash('sha256', seed, 'hex').slice(0, 16)}`)
  const clockId = digest & 1023n
  // Below a millisecond the time is ours to choose; room is left for the keys that follow.
  const offset = (digest >> 10n) % 900n
  const first = BigInt(Math.floor(preparedAt)) * 1000n + offset
  return Array.from({ length: count }, (_, index) => encode(first + BigInt(index), clockId))
}

function encode(microseconds: bigint, clockId: bigint): string {
  const value = (microseconds << 10n) | clockId
  let text = ''
  for (let shift = 60n; shift >= 0n; shift -= 5n) {
    text += alphabet.charAt(Number((value >> shift) & 31n))
  }
  return text
}

/** When a key was made; null where it is none of this kind or its time cannot be. */
export function timeOfKey(key: string, now: Instant): Instant | null {
  if (!pattern.test(key)) return null
  let value = 0n
  for (const character of key) value = (value << 5n) | BigInt(alphabet.indexOf(character))
  const at = Number((value >> 10n) / 1000n)
  return at >= earliestMs && at <= now + 10 * minuteMs ? at : null
}
