/**
 * Owns the prediction of an outcome from what was known before the draw: ridge regression on
 *
 *   y ≈ β₀ + β₁·(a − π) + β₂·x,   a = 1 where the post was acted on
 *
 * kept as sums, so that one more observation, or one less, is one addition. It need not be right:
 * a better prediction narrows the interval, a worse one widens it, and neither moves the estimate.
 */

export interface Sums {
  readonly size: number
  /** Σ z·zᵀ, row after row, and Σ z·y. */
  readonly products: Float64Array
  readonly moments: Float64Array
}

/** What holds every coefficient near 0 until the data speak; the first, the level, hardly. */
const ridge = 1
const ridgeOnLevel = 1e-6

export function emptySums(size: number): Sums {
  return { size, products: new Float64Array(size * size), moments: new Float64Array(size) }
}

/** Adds an observation to the sums; with `times` −1 it takes it away again. */
export function addTo(sums: Sums, z: readonly number[], y: number, times: 1 | -1): void {
  const { size, products, moments } = sums
  for (let i = 0; i < size; i += 1) {
    const zi = times * (z[i] as number)
    moments[i] = (moments[i] as number) + zi * y
    for (let j = 0; j < size; j += 1) {
      products[i * size + j] = (products[i * size + j] as number) + zi * (z[j] as number)
    }
  }
}

/** The coefficients: (Σ z·zᵀ + ridge)⁻¹ · Σ z·y, by Cholesky's way. */
export function coefficientsOf({ size, products, moments }: Sums): readonly number[] {
  const at = (row: number, column: number): number => row * size + column
  const root = new Float64Array(size * size)
  const solved = new Float64Array(size)
  for (let i = 0; i < size; i += 1) {
    let value = moments[i] as number
    for (let j = 0; j <= i; j += 1) {
      let sum = products[at(i, j)] as number
      if (i === j) sum += i === 0 ? ridgeOnLevel : ridge
      for (let k = 0; k < j; k += 1) sum -= (root[at(i, k)] as number) * (root[at(j, k)] as number)
      root[at(i, j)] = i === j ? Math.sqrt(sum) : sum / (root[at(j, j)] as number)
      if (j < i) value -= (root[at(i, j)] as number) * (solved[j] as number)
    }
    solved[i] = value / (root[at(i, i)] as number)
  }
  for (let i = size - 1; i >= 0; i -= 1) {
    let value = solved[i] as number
    for (let k = i + 1; k < size; k += 1)
      value -= (root[at(k, i)] as number) * (solved[k] as number)
    solved[i] = value / (root[at(i, i)] as number)
  }
  return Array.from(solved)
}
