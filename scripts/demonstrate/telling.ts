/** Tells a diary to a person: each moment with its curve and its verdict, then the whole of it. */

import { formatCount, formatDuration, plural } from '../../src/core/wording.ts'
import { checklist, explain } from '../../src/index.ts'
import type { Instant, Sample, Verdict } from '../../src/index.ts'
import { paint, rule, sparkline, wrap } from './page.ts'
import type { Colour } from './page.ts'
import { publishedAt, readingEveryMs, samples, timeZone } from './story.ts'
import type { Moment } from './story.ts'
import { verdictAt } from './watch.ts'
import type { Diary } from './watch.ts'

const margin = '   '
const timeWidth = 12
const cellWidth = 26
const colours: Readonly<Record<Verdict['kind'], Colour>> = {
  plan: ['bold', 'magenta'],
  hold: 'yellow',
  healthy: 'green',
  insufficient: 'cyan',
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { timeZone, weekday: 'short' })
const clockFormat = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })

/** A time as the people see it who live there. */
export function localTime(instant: Instant): string {
  return `${dayFormat.format(instant)} ${clockFormat.format(instant)}`
}

export function tellMoment({ now, caption }: Moment, diary: Diary): readonly string[] {
  const verdict = verdictAt(diary, now)
  const colour = colours[verdict.kind]
  return [
    rule(`${localTime(now)}, ${formatDuration(now - publishedAt)} old`, headline(verdict), colour),
    '',
    ...drawCounters(now, verdict),
    '',
    ...wrap(caption, margin).map((line) => paint('bold', line)),
    '',
    ...wrap(explain(verdict), `${margin}│ `),
    ...consequence(verdict).map((line) => paint(colour, line)),
    '',
  ]
}

/** The verdict in two words. */
function headline(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'plan':
      return `plan: ${verdict.action}`
    case 'hold':
      return `hold: ${verdict.reason}`
    case 'healthy':
    case 'insufficient':
      return verdict.kind
  }
}

/** What each reading added so far, with a line under those that the verdict rests on. */
function drawCounters(now: Instant, { trace }: Verdict): readonly string[] {
  const seen = samples.filter(({ at }) => at <= now)
  const { firstAt, lastAt } = trace.evidence
  const used = Math.round(((lastAt ?? 0) - (firstAt ?? 0)) / readingEveryMs)
  const before = ' '.repeat('impressions '.length + seen.length - 1 - used)
  return [
    drawCounter('impressions', seen, ({ impressions }) => impressions ?? 0),
    drawCounter('engagements', seen, ({ engagements }) => engagements),
    paint('dim', `${margin}${before}${'‾'.repeat(used)}`),
  ]
}

function drawCounter(
  name: string,
  seen: readonly Sample[],
  count: (sample: Sample) => number,
): string {
  const totals = seen.map(count)
  const gains = totals.slice(1).map((total, index) => total - (totals[index] ?? 0))
  return `${margin}${name} ${sparkline(gains)} ${formatCount(totals.at(-1) ?? 0)}`
}

/** What follows from the verdict, in local time; `explain` writes UTC. */
function consequence(verdict: Verdict): readonly string[] {
  if (verdict.kind === 'plan') return ['', `${margin}→ ${verdict.action}, key ${verdict.key}`]
  if (verdict.kind !== 'hold' || verdict.until.kind !== 'time') return []
  return ['', `${margin}→ possible from ${localTime(verdict.until.at)}`]
}

/** Every guard of one verdict: what it saw, and whether it let the action pass. */
export function tellChecklist(verdict: Verdict): readonly string[] {
  return checklist(verdict).flatMap((line) => {
    const lines = wrap(line, margin, `${margin}      `)
    return line.startsWith('pass') ? lines : lines.map((part) => paint(colours.hold, part))
  })
}

/** The told moments under two policies, side by side. */
export function compare(told: readonly Moment[], left: Diary, right: Diary): readonly string[] {
  const row = (time: string, ...cells: readonly string[]) =>
    `${margin}${time.padEnd(timeWidth)}${cells.join('')}`
  const cell = (diary: Diary, now: Instant, width: number) => {
    const verdict = verdictAt(diary, now)
    return paint(colours[verdict.kind], headline(verdict).padEnd(width))
  }
  return [
    paint('dim', row('', left.policy.padEnd(cellWidth), right.policy)),
    ...told.map(({ now }) => row(localTime(now), cell(left, now, cellWidth), cell(right, now, 0))),
  ]
}

/** Everything that was done under a policy, and what another said at each of those moments. */
export function tellActions(diary: Diary, other: Diary): readonly string[] {
  const lines: string[] = []
  for (const [now, verdict] of diary.verdicts) {
    if (verdict.kind !== 'plan') continue
    const view = `${other.policy} said ${headline(verdictAt(other, now))}`
    lines.push(`${margin}${localTime(now).padEnd(timeWidth)}${verdict.action.padEnd(10)}${view}`)
  }
  return [`${margin}${diary.policy} acted ${plural(lines.length, 'time')}:`, ...lines]
}
