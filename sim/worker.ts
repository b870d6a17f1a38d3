/** A thread that simulates the years it is asked for, one after another. */

import { parentPort } from 'node:worker_threads'
import { fulfil } from './parallel.ts'
import type { YearOrder } from './parallel.ts'

const port = parentPort
if (port === null) throw new Error('This file runs in a worker thread alone')

port.on('message', (order: YearOrder) => {
  void fulfil(order).then((report) => port.postMessage(report))
})
