/** A crew of worker processes, and how long it takes them until something is so. */

import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import type { WorkerEnd, WorkerOrder } from './worker.ts'

/** None of the measurements may go on for ever. */
const longestMs = 30 * 60_000

export interface CrewTime {
  readonly seconds: number
  readonly ends: readonly WorkerEnd[]
}

/** From when all of them are there until the work is done. */
export async function timeCrew(
  size: number,
  order: WorkerOrder,
  isDone: () => Promise<boolean>,
): Promise<CrewTime> {
  const script = new URL('./worker.ts', import.meta.url)
  const workers = Array.from({ length: size }, () => fork(script, [JSON.stringify(order)]))
  await Promise.all(workers.map((worker) => messageOf(worker)))
  const start = performance.now()
  for (const worker of workers) worker.send('start')
  while (!(await isDone())) {
    if (performance.now() - start > longestMs) throw new Error('The work was not done in time')
    await delay(100)
  }
  const seconds = (performance.now() - start) / 1000
  const ends: WorkerEnd[] = []
  for (const worker of workers) {
    const end = messageOf(worker)
    worker.send('stop')
    ends.push((await end) as WorkerEnd)
  }
  return { seconds, ends }
}

function messageOf(worker: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('exit', (code) => reject(new Error(`A worker ended with code ${code}`)))
  })
}
