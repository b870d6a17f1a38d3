/**
 * Owns randomness that can be replayed: the same seed gives the same draws on every machine.
 * It is no source of secrets.
 */

import type { Random } from '../../core/random.ts'

/** A seeded source with the draws that a simulated world needs. */
export interface Stream extends Random {
  /** From `low` up to, but not including, `high`. */
  between(low: number, high: number): number
  /** Around 0 with a standard deviation of 1. */
  normal(): number
  /** A positive number whose logarithm is normal around that of the median. */
  logNormal(median: number, spread: number): number
  chance(probability: number): boolean
}

/** The generator sfc32: 128 bits of state, fast, and passes the usual batteries of tests. */
export function seededRandom(seed: string | number): Stream {
  const next = sfc32(String(seed))
  const fraction = () => next() / 2 ** 32
  const normal = () => {
    // Box and Muller; 1 − u keeps the logarithm away from 0.
    const radius = Math.sqrt(-2 * Math.log(1 - fraction()))
    return radius * Math.cos(2 * Math.PI * fraction())
  }
  return {
    fraction,
    normal,
    id: () => toUuid([next(), next(), next(), next()]),
    between: (low, high) => low + (high - low) * fraction(),
    logNormal: (median, spread) => median * Math.exp(spread * normal()),
    chance: (probability) => fraction() < probability,
  }
}

/** One draw that depends on nothing but its arguments: at least 0 and below 1. */
export function fractionFrom(seed: number, a: number, b: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b)
  for (const part of [a, b]) {
    mixed = Math.imul(mixed ^ part, 0xc2b2ae35)
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x85ebca6b)
    mixed ^= mixed >>> 13
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d)
  return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32
}

function sfc32(seed: string): () => number {
  let [a, b, c] = [hashOf(seed, 0x811c9dc5), hashOf(seed, 0x01000193), hashOf(seed, 0x5bd1e995)]
  let counter = 1
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  // The first draws still resemble the seed.
  for (let round = 0; round < 12; round += 1) next()
  return next
}

/** Hashes text to 32 bits; other starts give independent hashes. */
function hashOf(text: string, start: number): number {
  let mixed = start
  for (let index = 0; index < text.length; index += 1) {
    mixed = Math.imul(mixed ^ text.charCodeAt(index), 0x01000193)
    mixed ^= mixed >>> 15
  }
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b)
  return mixed ^ (mixed >>> 13)
}

/** In the form that the system's random source uses, so that nobody depends on the difference. */
function toUuid(words: readonly [number, number, number, number]): string {
  const hex = words.map((word) => word.toString(16).padStart(8, '0')).join('')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20),
  ].join('-')
}
