/** Owns the guess at what was meant where a name is not known. */

/** The known name that is a slip or two away, or null where none is. */
export function nearest(given: string, known: readonly string[]): string | null {
  let best: string | null = null
  let bestDistance = Math.max(1, Math.floor(given.length / 3)) + 1
  for (const name of known) {
    const distance = distanceBetween(given.toLowerCase(), name.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [name, distance]
  }
  return best
}

/** How many letters must be added, left out, changed or swapped with the next. */
function distanceBetween(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row]
    for (let column = 1; column <= to.length; column += 1) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      const change = (last[column - 1] ?? 0) + (isSame ? 0 : 1)
      const swap = isSwapped ? (before[column - 2] ?? Infinity) + 1 : Infinity
      next.push(Math.min((last[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1, change, swap))
    }
    before = last
    last = next
  }
  return last[to.length] ?? 0
}
