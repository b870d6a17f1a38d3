/**
 * Owns what the network shows: a file to which every send appends one line. It outlives whoever
 * sent, so that a worker can look for what a dead one did, and the test knows what is out there.
 */

import { appendFileSync, readFileSync } from 'node:fs'
import type { ActionKey } from '../../src/core/ids.ts'

export interface Sending {
  readonly key: ActionKey
  readonly segment: number
  readonly attemptId: string
}

/** The one irreversible call. A line is appended whole or not at all. */
export function sendTo(path: string, sending: Sending): void {
  appendFileSync(path, `${JSON.stringify(sending)}\n`)
}

export function readNetwork(path: string): readonly Sending[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Sending)
}
