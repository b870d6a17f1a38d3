/**
 * Owns one measure of all past posts at one age, and the mid-rank of a value among them:
 *
 *   u = (Σ w[x < v] + Σ w[x ≤ v] + 1) / (2·(n + 1)), with weights that sum to n
 *
 * A rank does not care whether an account counts in tens or in millions.
 */

export interface Column {
  /** For each curve, in their order; NaN where it was not observed. */
  readonly values: Float64Array
  /** The known values in ascending order. */
  readonly ascending: Float64Array
  /** How much weight the values before each place have together; the last is the whole. */
  readonly weightBefore: Float64Array
  /** How many values are known, and how many of them are the account's own. */
  readonly size: number
  readonly ownSize: number
}

/** Interpolated counts differ in their last bits; whole counts never by so little. */
const tie = 1e-6

export function columnOf(values: Float64Array, weights: Float64Array, own: Uint8Array): Column {
  const rows: number[] = []
  let ownSize = 0
  values.forEach((value, row) => {
    if (Number.isNaN(value)) return
    rows.push(row)
    ownSize += own[row] as number
  })
  rows.sort((a, b) => (values[a] as number) - (values[b] as number))
  const ascending = new Float64Array(rows.length)
  const weightBefore = new Float64Array(rows.length + 1)
  rows.forEach((row, place) => {
    ascending[place] = values[row] as number
    weightBefore[place + 1] = (weightBefore[place] as number) + (weights[row] as number)
  })
  return { values, ascending, weightBefore, size: rows.length, ownSize }
}

/** The mid-rank of a value among a column that holds at least one. */
export function midRank(column: Column, value: number): number {
  return rankAmong(column, value, 0, column.size)
}

/** The mid-rank of a curve's own value among the other curves. */
export function midRankOfRow(column: Column, row: number, weight: number): number {
  return rankAmong(column, column.values[row] as number, weight, column.size - 1)
}

/** `ownWeight` is the weight of the value itself, where it is one of the column. */
function rankAmong(column: Column, value: number, ownWeight: number, size: number): number {
  const { ascending, weightBefore } = column
  const from = firstAbove(ascending, value - tie, 0)
  // Most values have no equal, and then the second search is over at once.
  const to =
    from < column.size && (ascending[from] as number) <= value + tie
      ? firstAbove(ascending, value + tie, from)
      : from
  const less = weightBefore[from] as number
  const lessOrEqual = (weightBefore[to] as number) - ownWeight
  const total = (weightBefore[column.size] as number) - ownWeight
  const scale = size === 0 ? 0 : size / total
  return ((less + lessOrEqual) * scale + 1) / (2 * (size + 1))
}

/** The least value that at least this share of the weight does not exceed. */
export function quantile(column: Column, share: number): number {
  const { ascending, weightBefore, size } = column
  // Sums of weights differ in their last bits with the order of the curves.
  const wanted = (weightBefore[size] as number) * (share - 1e-9)
  let place = 0
  while (place < size - 1 && (weightBefore[place + 1] as number) < wanted) place += 1
  return ascending[place] as number
}

/** A tenth of the posts stood at `low` or below, half at `middle` or below, 90 % at `high`. */
export interface Band {
  readonly low: number
  readonly middle: number
  readonly high: number
}

/** Null where nothing is known. */
export function bandOf(column: Column): Band | null {
  if (column.size === 0) return null
  const [low, middle, high] = [0.1, 0.5, 0.9].map((share) => quantile(column, share))
  return { low: low as number, middle: middle as number, high: high as number }
}

function firstAbove(ascending: Float64Array, value: number, from: number): number {
  let low = from
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((ascending[middle] as number) <= value) low = middle + 1
    else high = middle
  }
  return low
}
