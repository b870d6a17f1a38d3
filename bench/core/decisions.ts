/** Measures how many decisions one core makes in a second. */

import { classicPolicy, decide, standardPolicy } from '../../src/core/index.ts'
import type { DecisionInput, Policy, Sample } from '../../src/core/index.ts'
import { medianNs, processorTime, takeTurns } from './rounds.ts'
import type { Contestant } from './rounds.ts'
import { detailedSamplesOf, samplesOf, stalledPost } from './workload.ts'

export interface DecisionFigure {
  readonly what: string
  readonly perSecond: number
  readonly nsEach: number
}

/** Each has an id of its own, so that no cache of keys could help. */
const posts = 256
const decisionsPerRound = 20_000

const workloads: readonly (readonly [string, Policy, (number: number) => Sample[]])[] = [
  ['classic', classicPolicy, samplesOf],
  ['standard', standardPolicy, samplesOf],
  ['standard, interactions by kind', standardPolicy, detailedSamplesOf],
]

export async function measureDecisions(): Promise<DecisionFigure[]> {
  const contestants = workloads.map(([what, policy, samples]) =>
    deciding(
      what,
      Array.from({ length: posts }, (_, number) => stalledPost(number, policy, samples(number))),
    ),
  )
  const rounds = await takeTurns(contestants, { rounds: 15, warmUp: 3 })
  return workloads.map(([what]) => {
    const nsEach = medianNs(rounds, what)
    return { what, nsEach: Math.round(nsEach), perSecond: Math.round(1e9 / nsEach) }
  })
}

function deciding(name: string, inputs: readonly DecisionInput[]): Contestant {
  const round = processorTime(decisionsPerRound, (index) => {
    const verdict = decide(inputs[index % posts] as DecisionInput)
    if (verdict.kind !== 'plan') throw new Error(`The workload must come to a plan: ${name}`)
  })
  return { name, round }
}
