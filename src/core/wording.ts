/** Owns how numbers are written for people, so that every surface writes them alike. */

import { dayMs, hourMs, minuteMs, secondMs } from './duration.ts'
import { formatInstant } from './instant.ts'
import type { Until } from './until.ts'

export function formatCount(count: number): string {
  const [whole = '', fraction] = String(count).split('.')
  const grouped = /^\d+$/.test(whole) ? whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') : whole
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** A score from 0 to 1 with three digits, cut so that 0.7999 never reads as a passed 0.800. */
export function formatScore(score: number): string {
  return (Math.floor(score * 1000 + 1e-9) / 1000).toFixed(3)
}

export function formatPercent(share: number): string {
  const percent = share * 100
  return `${percent >= 10 || percent === 0 ? percent.toFixed(0) : percent.toPrecision(2)} %`
}

/** At most two units: `2 h 5 min`. What lies ahead where the past was meant is negative. */
export function formatDuration(durationMs: number): string {
  if (durationMs < 0) return `-${formatDuration(-durationMs)}`
  const units: readonly (readonly [string, number])[] = [
    ['d', dayMs],
    ['h', hourMs],
    ['min', minuteMs],
    ['s', secondMs],
    ['ms', 1],
  ]
  const parts: string[] = []
  let restMs = Math.round(durationMs)
  for (const [name, unitMs] of units) {
    const count = Math.floor(restMs / unitMs)
    restMs -= count * unitMs
    if (count > 0 && parts.length < 2) parts.push(`${count} ${name}`)
    else if (parts.length > 0) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}

/** `1 action`, `2 actions`. */
export function plural(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

const events = {
  approval: 'until a person decides',
  resume: 'until someone resumes it',
  next_look: 'until the next look',
  action_ended: 'until the open action ends',
  next_sample: 'until a newer sample shows otherwise',
  review: 'until a person has reviewed it',
} as const

export function formatUntil(until: Until): string {
  switch (until.kind) {
    case 'time':
      return `possible again at ${formatInstant(until.at)}`
    case 'event':
      return events[until.event]
    case 'never':
      return 'not possible any more'
  }
}
