/**
 * Measures how many decisions one core makes in a second. Each workload has a process of its own:
 * in one that is shared, what the compiler learns from one of them slows down the others.
 */

import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { medianNs, takeTurns } from './rounds.ts'
import type { Contestant } from './rounds.ts'
import { decisionWorkloads } from './workload.ts'

export interface DecisionFigure {
  readonly what: string
  readonly perSecond: number
  readonly nsEach: number
}

const deciderFile = fileURLToPath(new URL('decider.ts', import.meta.url))

export async function measureDecisions(): Promise<DecisionFigure[]> {
  const deciders = decisionWorkloads.map(({ what }) => startDecider(what))
  try {
    const rounds = await takeTurns(deciders, { rounds: 15, warmUp: 3 })
    return deciders.map(({ name }) => {
      const nsEach = medianNs(rounds, name)
      return { what: name, nsEach: Math.round(nsEach), perSecond: Math.round(1e9 / nsEach) }
    })
  } finally {
    for (const decider of deciders) decider.stop()
  }
}

function startDecider(name: string): Contestant & { readonly stop: () => void } {
  const child = fork(deciderFile, [name])
  const failed = once(child, 'exit').then(() => {
    throw new Error(`The process that decides ${name} has failed; its error stands above`)
  })
  // It also ends when it is stopped, and then nobody waits for it.
  failed.catch(() => {})
  return {
    name,
    round: async () => {
      const answered = once(child, 'message')
      child.send('round')
      const [ns] = (await Promise.race([answered, failed])) as [number]
      return ns
    },
    stop: () => {
      if (child.connected) child.disconnect()
    },
  }
}
