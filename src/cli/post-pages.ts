/** Owns how posts look in a terminal: as rows of a table, and as a page of their own. */

import { parseInstant } from '../core/instant.ts'
import { formatCount, formatDuration, formatScore } from '../core/wording.ts'
import type { PostDetail, PostSummary } from '../server/schema/post.ts'
import type { VerdictView } from '../server/schema/verdict.ts'
import { shortId } from './finding.ts'
import { readable } from './moments.ts'
import type { Output, Style } from './output.ts'
import { chart, sparkline } from './sparkline.ts'
import type { ChartPoint } from './sparkline.ts'
import { formatTable } from './table.ts'
import { wrap } from './wrapping.ts'

export function postsTable(posts: readonly PostSummary[], out: Output): string {
  return formatTable(
    posts,
    [
      { title: 'post', value: ({ id }) => shortId(id) },
      {
        title: 'published',
        value: ({ publishedAt }) => publishedAt.slice(5, 16).replace('T', ' '),
      },
      {
        title: 'engaged',
        value: ({ newestSample }) =>
          newestSample === null ? '–' : formatCount(newestSample.engagements),
        align: 'right',
      },
      {
        title: 'curve',
        value: (post) =>
          sparkline(
            post.sparkline.map(({ engagements }) => engagements),
            10,
          ),
      },
      { title: 'state', value: stateOf, paint: (cell, post) => out.style(styleOf(post), cell) },
      { title: 'text', value: ({ text }) => text ?? '', isFlexible: true },
    ],
    out.width,
  )
}

function stateOf({ status, latest, action, neverTouch }: PostSummary): string {
  if (neverTouch) return 'never touch'
  if (status !== 'watched') return status
  if (action !== null && openStates.has(action.state)) return action.state.replaceAll('_', ' ')
  if (latest === null) return 'new'
  return latest.kind === 'hold' ? `hold: ${latest.reason ?? ''}` : latest.kind
}

const openStates = new Set([
  'planned',
  'awaiting_approval',
  'approved',
  'running',
  'waiting',
  'unknown',
  'needs_attention',
])

function styleOf({ latest, action }: PostSummary): Style {
  if (action?.state === 'needs_attention' || action?.state === 'failed') return 'red'
  if (action?.state === 'awaiting_approval') return 'cyan'
  return latest?.kind === 'hold' || latest?.kind === 'plan' ? 'yellow' : 'dim'
}

export function postPage(post: PostDetail, out: Output): string {
  const newest = post.samples.at(-1)
  const [latest] = post.verdicts
  const counts =
    newest === undefined
      ? 'not read yet'
      : `${formatCount(newest.engagements)} engagements` +
        (newest.impressions === null ? '' : `, ${formatCount(newest.impressions)} impressions`)
  return [
    out.style('bold', `${post.platform}/${post.handle}  ${post.publishedAt.slice(0, 16)}`),
    ...wrap(post.text ?? '(its text was erased)', out.width),
    ...(post.url === null ? [] : [out.style('dim', post.url)]),
    '',
    ...(post.samples.length < 2 ? [] : [curveOf(post, out.width), '']),
    `${counts}; ${post.status}${post.neverTouch ? ', never touched' : ''}`,
    ...(latest === undefined ? [] : ['', ...verdictPage(latest, out)]),
    ...actionLines(post, out),
    ...(post.nextPossible === null
      ? []
      : ['', ...wrap(readable(post.nextPossible.sentence), out.width)]),
    ...(post.nextCheckAt === null ? [] : [`Next look at ${readable(post.nextCheckAt)}.`]),
  ].join('\n')
}

/** The curve against what is usual at each age. */
export function curveOf({ samples, publishedAt, band }: PostDetail, width: number): string {
  const born = parseInstant(publishedAt, 'publishedAt')
  const points: ChartPoint[] = samples.map(({ at, engagements }) => {
    const moment = parseInstant(at, 'at')
    const usual = band.findLast(({ ageMs }) => ageMs <= moment - born)
    return { at: moment, value: engagements, band: usual ? [usual.low, usual.high] : null }
  })
  const lastAgeMs = (points.at(-1)?.at ?? born) - born
  const legend = band.length === 0 ? '' : ' ░ where eight of ten past posts were'
  const drawn = chart(points, Math.min(width, 76), 8)
  return `${drawn}\n  ● engagements over ${formatDuration(lastAgeMs)}${legend}`
}

/** Below the words, past the mark. */
const guardIndent = ' '.repeat(8)

export function verdictPage(verdict: VerdictView, out: Output): readonly string[] {
  const score = verdict.score === null ? '' : `, score ${formatScore(verdict.score)}`
  const evaluatedAt = readable(verdict.evaluatedAt)
  return [
    out.style('bold', `${verdict.kind}${score}  (${verdict.policy}, ${evaluatedAt})`),
    ...wrap(readable(verdict.sentence), out.width),
    ...(verdict.guards.length === 0 ? [] : ['']),
    ...verdict.guards.flatMap(({ kind, guard, sentence }) => {
      const mark = kind === 'pass' ? out.style('green', 'pass') : out.style('yellow', 'HOLD')
      const [first = '', ...rest] = wrap(readable(`${guard}: ${sentence}`), out.width, guardIndent)
      return [`  ${mark}  ${first.trimStart()}`, ...rest]
    }),
  ]
}

function actionLines({ actions }: PostDetail, out: Output): readonly string[] {
  if (actions.length === 0) return []
  return [
    '',
    out.style('bold', 'Actions'),
    ...actions.map(
      ({ id, action, state, plannedAt, undoes }) =>
        `  ${shortId(id)}  ${plannedAt.slice(0, 16)}  ` +
        `${undoes === null ? action : `undo of ${action}`}  ${state.replaceAll('_', ' ')}`,
    ),
  ]
}
