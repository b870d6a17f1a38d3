/** Decides on one workload, a round at each message, and answers with nanoseconds a decision. */

import { decide } from '../../src/core/index.ts'
import type { DecisionInput } from '../../src/core/index.ts'
import { processorTime } from './rounds.ts'
import { decisionWorkloads } from './workload.ts'

/** Each post has an id of its own, so that no cache of keys could help. */
const posts = 256
const decisionsPerRound = 20_000

const workload = decisionWorkloads.find(({ what }) => what === process.argv[2])
if (workload === undefined) throw new Error(`There is no workload ${process.argv[2]}`)
const inputs = Array.from({ length: posts }, (_, number) => workload.inputFor(number))

const round = processorTime(decisionsPerRound, (index) => {
  const verdict = decide(inputs[index % posts] as DecisionInput)
  if (verdict.kind !== 'plan') throw new Error(`${workload.what} must come to a plan`)
})

process.on('message', () => process.send?.(round()))
