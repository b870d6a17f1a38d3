/** Owns what a lag means: whether it is usual, and what to do about one that grows. */

import type { Tone } from '../../design/badge.tsx'

export type LagKind = 'check' | 'action'

export interface LagWords {
  readonly tone: Tone
  readonly label: string
  readonly meaning: string
}

/**
 * A post is looked at every ten minutes at most, so that a minute costs nothing. An action is sent
 * as soon as it may be; someone may wait for it.
 */
const usualMs: Readonly<Record<LagKind, number>> = { check: 60_000, action: 30_000 }
/** From so much on, as the alerts in docs/operating.md have it. */
const longMs = 300_000

const usually: Readonly<Record<LagKind, string>> = {
  check: 'Less than a minute is usual.',
  action: 'A few seconds are usual.',
}

const remedies: Readonly<Record<LagKind, string>> = {
  check:
    'If it goes on growing, there is more to look at than the workers can do: start another ' +
    'worker, or give them a higher concurrency.',
  action:
    'Actions go first, so if it goes on growing, something holds them up: a network that does ' +
    'not answer, or no worker. See the problems above and the logs of the workers.',
}

export function wordLag(kind: LagKind, lagMs: number): LagWords {
  if (lagMs < usualMs[kind]) return { tone: 'good', label: 'usual', meaning: usually[kind] }
  const isLong = lagMs >= longMs
  const label = isLong ? 'long' : 'more than usual'
  return { tone: isLong ? 'bad' : 'warn', label, meaning: `${usually[kind]} ${remedies[kind]}` }
}
