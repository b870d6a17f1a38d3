/** Owns how actions look in a terminal: as rows of a table, and as the story of one. */

import type { ActionDetail, ActionSummary, TimelineEntry } from '../server/schema/action.ts'
import { shortId } from './finding.ts'
import { readable } from './moments.ts'
import type { Output, Style } from './output.ts'
import { formatTable } from './table.ts'
import { wrap } from './wrapping.ts'

export function actionsTable(actions: readonly ActionSummary[], out: Output): string {
  return formatTable(
    actions,
    [
      { title: 'action', value: ({ id }) => shortId(id) },
      { title: 'planned', value: ({ plannedAt }) => plannedAt.slice(5, 16).replace('T', ' ') },
      { title: 'account', value: ({ handle }) => handle, isFlexible: true },
      {
        title: 'what',
        value: ({ action, undoes }) => (undoes === null ? action : `undo ${action}`),
      },
      {
        title: 'state',
        value: ({ state }) => state.replaceAll('_', ' '),
        paint: (cell, { state }) => out.style(styles[state] ?? 'dim', cell),
      },
      { title: 'text', value: ({ text }) => text ?? '', isFlexible: true },
    ],
    out.width,
  )
}

const styles: Readonly<Record<string, Style>> = {
  awaiting_approval: 'cyan',
  success: 'green',
  failed: 'red',
  needs_attention: 'red',
  unknown: 'yellow',
  waiting: 'yellow',
}

export function actionPage(action: ActionDetail, out: Output): string {
  const { handle, platform, state, possible, why } = action
  return [
    out.style('bold', `${action.action} as ${platform}/${handle}: ${state.replaceAll('_', ' ')}`),
    out.style('dim', `${action.id}  key ${action.key}`),
    ...(action.url === null ? [] : [action.url]),
    '',
    ...action.segments.flatMap((segment) => [...wrap(segment, out.width, '  '), '']),
    ...(why === null ? [] : [...wrap(readable(why), out.width), '']),
    ...action.timeline.map((entry) => timelineLine(entry, out)),
    ...(possible.length === 0 ? [] : ['', `Possible now: ${possible.join(', ')}.`]),
  ].join('\n')
}

const tones: Readonly<Record<TimelineEntry['tone'], Style>> = {
  good: 'green',
  bad: 'red',
  open: 'yellow',
  plain: 'dim',
}

function timelineLine({ at, sentence, by, tone }: TimelineEntry, out: Output): string {
  const who = by === null ? '' : ` (${by})`
  const mark = out.style(tones[tone], '●')
  return `${out.style('dim', at.slice(0, 19))}  ${mark} ${readable(sentence)}${who}`
}
