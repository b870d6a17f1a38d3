/** Fits the weights of the detector to a data set alone, as the prior was fitted. */

import { featureNames, lowerBounds } from '../../src/core/age-rank/features.ts'
import { fitLogistic } from '../../src/core/age-rank/logistic.ts'
import { examplesOf } from '../../src/core/age-rank/model.ts'
import type { DataSet } from './csv.ts'
import { baselineOf, split } from './task.ts'

/** So weak that it only decides where the data say nothing at all. */
const whisper = 1e-3

export function fitWeights(data: DataSet): Record<string, number> {
  const examples = examplesOf(baselineOf(split(data).training))
  const weights = fitLogistic({
    ...examples,
    centre: featureNames.map(() => 0),
    pull: featureNames.map(() => whisper),
    lowerBounds,
  })
  return Object.fromEntries(featureNames.map((name, index) => [name, weights[index] as number]))
}
