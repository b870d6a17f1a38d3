/** Owns how detectors are graded. A score is higher the more stagnant a post is held to be. */

/** One graded judgement: what was said, and what became of the post. */
export interface Judgement {
  readonly score: number
  readonly stagnant: boolean
}

/** The chance that a stagnant post scores above a healthy one; ties count half. */
export function areaUnderCurve(judgements: readonly Judgement[]): number | null {
  const ascending = judgements.toSorted((a, b) => a.score - b.score)
  let pairs = 0
  let healthy = 0
  let stagnant = 0
  for (const group of tiesOf(ascending)) {
    const bad = group.filter((judgement) => judgement.stagnant).length
    const good = group.length - bad
    pairs += bad * (healthy + good / 2)
    healthy += good
    stagnant += bad
  }
  return healthy === 0 || stagnant === 0 ? null : pairs / (healthy * stagnant)
}

/** The mean squared error of scores that claim to be probabilities. */
export function brierScore(judgements: readonly Judgement[]): number | null {
  if (judgements.length === 0) return null
  let sum = 0
  for (const { score, stagnant } of judgements) sum += (score - (stagnant ? 1 : 0)) ** 2
  return sum / judgements.length
}

/** What it costs to find this share of the stagnant posts. */
export interface OperatingPoint {
  /** The least score that is flagged. */
  readonly threshold: number
  readonly recall: number
  /** The share of the flagged that are stagnant. */
  readonly precision: number
  /** The share of the healthy that are flagged. */
  readonly falseAlarms: number
}

/** The highest threshold that finds at least this share of the stagnant posts. */
export function atRecall(judgements: readonly Judgement[], recall: number): OperatingPoint | null {
  const descending = judgements.toSorted((a, b) => b.score - a.score)
  const stagnant = descending.filter((judgement) => judgement.stagnant).length
  const healthy = descending.length - stagnant
  if (stagnant === 0 || healthy === 0) return null
  let hits = 0
  let alarms = 0
  for (const group of tiesOf(descending)) {
    const bad = group.filter((judgement) => judgement.stagnant).length
    hits += bad
    alarms += group.length - bad
    if (hits / stagnant < recall) continue
    const threshold = (group[0] as Judgement).score
    return {
      threshold,
      recall: hits / stagnant,
      precision: hits / (hits + alarms),
      falseAlarms: alarms / healthy,
    }
  }
  return null
}

/** Runs of equal scores in sorted judgements. */
function* tiesOf(sorted: readonly Judgement[]): Generator<readonly Judgement[]> {
  let from = 0
  while (from < sorted.length) {
    let to = from + 1
    while (to < sorted.length && sorted[to]?.score === sorted[from]?.score) to += 1
    yield sorted.slice(from, to)
    from = to
  }
}
