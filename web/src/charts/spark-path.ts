/** Owns the geometry of a sparkline. Pure. */

export interface SparkPoint {
  /** ISO 8601. */
  readonly at: string
  readonly engagements: number
}

export interface SparkPath {
  readonly line: string
  readonly area: string
}

const edgePx = 2

/** By time and not by index, so that a gap between samples looks as long as it was. */
export function sparkPath(
  points: readonly SparkPoint[],
  widthPx: number,
  heightPx: number,
): SparkPath | null {
  const first = points[0]
  const last = points.at(-1)
  if (first === undefined || last === undefined || points.length < 2) return null
  const start = Date.parse(first.at)
  const spanMs = Date.parse(last.at) - start
  if (spanMs <= 0) return null
  const highest = Math.max(1, ...points.map(({ engagements }) => engagements))
  const places = points.map(({ at, engagements }) => {
    const x = ((Date.parse(at) - start) / spanMs) * widthPx
    const y = heightPx - edgePx - (engagements / highest) * (heightPx - 2 * edgePx)
    return `${x.toFixed(1)} ${y.toFixed(1)}`
  })
  const line = `M${places.join('L')}`
  return { line, area: `${line}L${widthPx} ${heightPx}L0 ${heightPx}Z` }
}
