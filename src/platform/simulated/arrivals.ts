/**
 * Owns chance over time without a memory: how many arrivals there are among so many expected ones.
 *
 * All counters of a network share one long pattern of arrivals, drawn once, that repeats itself;
 * each counter begins at a place of its own. Within a period the pattern is a Poisson process, so
 * small counters are as ragged as real ones. A count is a look into the pattern: it takes the same
 * short time whatever the number, it never falls as more are expected, and asking changes nothing.
 */

import type { Random } from '../../core/random.ts'

/** How many arrivals the pattern has before it repeats; about as many units of expectation. */
export const arrivalPeriod = 4096

export class Arrivals {
  readonly #places = new Float64Array(arrivalPeriod)
  /** For each whole number, how many arrivals come before it. */
  readonly #before = new Uint16Array(arrivalPeriod)

  constructor(random: Random) {
    let place = 0
    for (let index = 0; index < arrivalPeriod; index += 1) {
      place -= Math.log(1 - random.fraction())
      this.#places[index] = place
    }
    // One more gap closes the circle; then all is stretched to the length of a period.
    const stretch = arrivalPeriod / (place - Math.log(1 - random.fraction()))
    let before = 0
    for (let index = 0; index < arrivalPeriod; index += 1) {
      this.#places[index] = this.#placeOf(index) * stretch
    }
    for (let whole = 0; whole < arrivalPeriod; whole += 1) {
      while (before < arrivalPeriod && this.#placeOf(before) < whole) before += 1
      this.#before[whole] = before
    }
  }

  /** How many arrivals there are from the start of the pattern up to a place. */
  upTo(place: number): number {
    const rounds = Math.floor(place / arrivalPeriod)
    const rest = place - rounds * arrivalPeriod
    let count = this.#before[Math.floor(rest)] ?? 0
    while (count < arrivalPeriod && this.#placeOf(count) <= rest) count += 1
    return rounds * arrivalPeriod + count
  }

  /** How many arrive where so many are expected, for a counter that begins at the given place. */
  count(begin: number, expected: number): number {
    return this.upTo(begin + expected) - this.upTo(begin)
  }

  #placeOf(index: number): number {
    return this.#places[index] as number
  }
}
