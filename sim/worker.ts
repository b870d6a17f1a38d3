/** A thread that simulates the years it is asked for, one after another. */

import { parentPort } from 'node:worker_threads'
import { fulfil } from './years.ts'
import type { YearOrder } from './years.ts'

const port = parentPort
if (port === null) throw new Error('This file runs in a worker thread alone')

port.on('message', (order: YearOrder) => {
  fulfil(order).then(
    (report) => port.postMessage(report),
    // What fails here is the simulator itself; whoever ordered it has to know.
    (error: unknown) => {
      process.nextTick(() => {
        throw error
      })
    },
  )
})
