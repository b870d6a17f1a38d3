/**
 * Owns the interval that stays true however often one looks (an asymptotic confidence sequence,
 * Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas, 2021, arXiv:2103.06476):
 *
 *   τ̂ ± σ̂·√( 2(nρ² + 1) / (n²ρ²) · ln(√(nρ² + 1) / α) ),   ρ² = (−2 ln α + ln(1 − 2 ln α)) / n*
 *
 * It is narrowest around n* posts, and a little wider than a t-test's, whose 5 % of false alarms
 * hold for one look only.
 */

export const alpha = 0.05

/** Where the interval is narrowest for its number of posts. */
const tunedFor = 200

const rhoSquared = (-2 * Math.log(alpha) + Math.log(1 - 2 * Math.log(alpha))) / tunedFor

/** More posts than this nobody waits for, so nobody needs to know how many more. */
const mostPosts = 1_000_000

/** Half the width of the interval from n posts whose scores deviate so much. */
export function halfWidth(posts: number, deviation: number): number {
  const spread = posts * rhoSquared + 1
  return (
    deviation *
    Math.sqrt(((2 * spread) / (posts * posts * rhoSquared)) * Math.log(Math.sqrt(spread) / alpha))
  )
}

/** How many posts it takes until half the width is no more than this effect; a million at most. */
export function postsToShow(effect: number, deviation: number): number {
  let low = 1
  let high = mostPosts
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (halfWidth(middle, deviation) <= effect) high = middle
    else low = middle + 1
  }
  return low
}
