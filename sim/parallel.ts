/** Simulates years in threads of their own, as many at once as there are cores. */

import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { findBug } from './planted-bugs/all.ts'
import { simulateYear } from './year.ts'
import type { YearReport } from './year.ts'

/** What a thread is asked for; it has to travel to it. */
export interface YearOrder {
  readonly seed: number
  readonly days: number
  /** The name of a planted bug, or null. */
  readonly bug: string | null
}

export type Simulate = (order: YearOrder) => Promise<YearReport>

/** Does each task once, with a thread to simulate in; a lone task is done right here. */
export async function inParallel<Task>(
  tasks: readonly Task[],
  perform: (task: Task, simulate: Simulate) => Promise<void>,
): Promise<void> {
  const left = [...tasks]
  const work = async (simulate: Simulate) => {
    for (let task = left.shift(); task !== undefined; task = left.shift()) {
      await perform(task, simulate)
    }
  }
  const threads = Math.min(tasks.length, availableParallelism())
  if (threads <= 1) return work(fulfil)
  await Promise.all(Array.from({ length: threads }, () => inThread(work)))
}

/** Most of what a year makes is short-lived: with room for it, it is seldom cleared away. */
const roomy = { maxYoungGenerationSizeMb: 64 }

async function inThread(work: (simulate: Simulate) => Promise<void>): Promise<void> {
  const thread = new Worker(new URL('worker.ts', import.meta.url), { resourceLimits: roomy })
  const ask: Simulate = async (order) => {
    const answer = once(thread, 'message') as Promise<[YearReport]>
    thread.postMessage(order)
    return (await answer)[0]
  }
  try {
    await work(ask)
  } finally {
    await thread.terminate()
  }
}

export function fulfil({ seed, days, bug }: YearOrder): Promise<YearReport> {
  return simulateYear({ seed, days, ...(bug === null ? {} : { bug: findBug(bug) }) })
}
