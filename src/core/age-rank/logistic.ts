/**
 * Owns the fit of a logistic model: Newton's steps on
 *
 *   Σ w·[ln(1 + e^z) − y·z] + ½·Σ pull·(β − β₀)²,   z = β·x,   β ≥ its lower bound
 *
 * which has one minimum. The same rows in the same order always give the same weights.
 */

export interface LogisticInput {
  /** One row of features for each observation. */
  readonly rows: readonly (readonly number[])[]
  /** 1 or 0 for each row. */
  readonly labels: readonly number[]
  readonly weights: readonly number[]
  /** Where the fit is pulled to, and how strongly, for each feature. */
  readonly centre: readonly number[]
  readonly pull: readonly number[]
  readonly lowerBounds: readonly number[]
}

const maximumSteps = 50
const settled = 1e-9

export function fitLogistic(input: LogisticInput): readonly number[] {
  let beta = input.centre.map((value, index) => Math.max(value, input.lowerBounds[index] as number))
  let loss = lossOf(input, beta)
  for (let step = 0; step < maximumSteps; step += 1) {
    const direction = newtonStep(input, beta)
    let scale = 1
    let next = beta
    let nextLoss = loss
    // A full step may overshoot where the data are nearly separable; half of it then does better.
    for (; scale > 1e-6; scale /= 2) {
      next = moved(beta, direction, scale)
      nextLoss = lossOf(input, next)
      if (nextLoss <= loss) break
    }
    if (!(nextLoss < loss - settled)) return beta
    beta = next
    loss = nextLoss
  }
  return beta
}

/** The probability that goes with a weighted sum. */
export function sigmoid(z: number): number {
  return 1 / (1 + Math.exp(-z))
}

export function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0
  for (let index = 0; index < a.length; index += 1) {
    sum += (a[index] as number) * (b[index] as number)
  }
  return sum
}

function moved(beta: readonly number[], direction: readonly number[], scale: number): number[] {
  return beta.map((value, index) => value + scale * (direction[index] as number))
}

function lossOf({ rows, labels, weights, centre, pull }: LogisticInput, beta: readonly number[]) {
  let loss = 0
  for (let row = 0; row < rows.length; row += 1) {
    const z = dot(rows[row] as readonly number[], beta)
    const softplus = Math.max(z, 0) + Math.log1p(Math.exp(-Math.abs(z)))
    loss += (weights[row] as number) * (softplus - (labels[row] as number) * z)
  }
  for (let index = 0; index < beta.length; index += 1) {
    const off = (beta[index] as number) - (centre[index] as number)
    loss += 0.5 * (pull[index] as number) * off * off
  }
  return loss
}

/** The step to the minimum of the quadratic that fits the loss here, within the bounds. */
function newtonStep(input: LogisticInput, beta: readonly number[]): readonly number[] {
  const { rows, labels, weights, centre, pull, lowerBounds } = input
  const size = beta.length
  const gradient = beta.map(
    (value, index) => -(pull[index] as number) * (value - (centre[index] as number)),
  )
  const curvature = beta.map((_, index) => {
    const line = new Float64Array(size)
    line[index] = pull[index] as number
    return line
  })
  for (let row = 0; row < rows.length; row += 1) {
    const x = rows[row] as readonly number[]
    const weight = weights[row] as number
    const p = sigmoid(dot(x, beta))
    const residual = weight * ((labels[row] as number) - p)
    const information = weight * p * (1 - p)
    for (let i = 0; i < size; i += 1) {
      gradient[i] = (gradient[i] as number) + residual * (x[i] as number)
      const line = curvature[i] as Float64Array
      const scaled = information * (x[i] as number)
      for (let j = 0; j < size; j += 1) line[j] = (line[j] as number) + scaled * (x[j] as number)
    }
  }
  const least = beta.map((value, index) => (lowerBounds[index] as number) - value)
  return solveBounded(curvature, gradient, least)
}

/** Minimises ½·dᵀHd − gᵀd over d ≥ least, one coordinate after another until none moves. */
function solveBounded(
  curvature: readonly Float64Array[],
  gradient: readonly number[],
  least: readonly number[],
): readonly number[] {
  const step = gradient.map(() => 0)
  for (let sweep = 0; sweep < 500; sweep += 1) {
    let largest = 0
    for (let i = 0; i < step.length; i += 1) {
      const line = curvature[i] as Float64Array
      const diagonal = line[i] as number
      // A feature that never varied, with nothing pulling on it, has no say.
      if (diagonal <= 0) continue
      let rest = gradient[i] as number
      for (let j = 0; j < step.length; j += 1) {
        if (j !== i) rest -= (line[j] as number) * (step[j] as number)
      }
      const value = Math.max(least[i] as number, rest / diagonal)
      largest = Math.max(largest, Math.abs(value - (step[i] as number)))
      step[i] = value
    }
    if (largest < 1e-12) break
  }
  return step
}
