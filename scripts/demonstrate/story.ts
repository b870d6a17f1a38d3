/** Owns the made-up post: what its counters showed, and which moments are worth telling. */

import { minuteMs } from '../../src/core/duration.ts'
import { parseInstant } from '../../src/index.ts'
import type { Instant, PostFacts, Sample } from '../../src/index.ts'

export const timeZone = 'Europe/Vienna'
export const place = 'Vienna'
export const text = 'Lantern 2.0 is out: it reads your notes back to you while you walk.'
export const readingEveryMs = 15 * minuteMs

export const publishedAt = parseInstant('2026-07-15T18:30:00+02:00', 'publishedAt')

export const post: PostFacts = { id: 'post-lantern', publishedAt, neverTouch: false }

/** What each quarter of an hour added. */
const gained = {
  impressions: [
    // 18:30, the launch.
    [240, 620, 710, 560, 430],
    // 19:45, it is still shown to many.
    [390, 360, 380, 350, 370, 340, 330, 350, 320, 310, 330, 300, 310, 290],
    // 23:15, people go to bed.
    [250, 190, 120, 70, 40, 25, 12, 9, 6, 5, 4, 4, 3, 3, 2, 2, 3, 2, 2, 3, 2, 3, 4, 4, 5, 6, 7, 8],
    // 06:15, and get up.
    [15, 40, 90, 160, 230, 290, 320, 340, 330],
  ],
  engagements: [
    [11, 26, 31, 25, 18],
    [7, 6, 6, 5, 6, 5, 5, 6, 5, 5, 5, 4, 5, 4],
    [3, 2, 1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    [1, 2, 5, 8, 12, 15, 16, 18, 17],
  ],
}

/** One reading of the counters every quarter of an hour, from the moment of publication. */
export const samples: readonly Sample[] = readings(
  gained.impressions.flat(),
  gained.engagements.flat(),
)

function readings(impressions: readonly number[], engagements: readonly number[]): Sample[] {
  const list: Sample[] = [{ at: publishedAt, impressions: 0, engagements: 0 }]
  let shown = 0
  let answered = 0
  impressions.forEach((count, index) => {
    shown += count
    answered += engagements[index] ?? 0
    const at = publishedAt + (index + 1) * readingEveryMs
    list.push({ at, impressions: shown, engagements: answered, ...split(answered) })
  })
  return list
}

/** Of ten engagements seven are likes, two reposts and one a reply, as on a friendly network. */
function split(engagements: number): Pick<Sample, 'interactions'> {
  const replies = Math.floor(engagements / 10)
  const reposts = Math.floor(engagements / 5)
  return { interactions: { likes: engagements - replies - reposts, reposts, replies } }
}

/** A moment that is told, and what to say about it. */
export interface Moment {
  readonly now: Instant
  readonly caption: string
}

/** The moment whose guards are told one by one. */
export const quietMoment = told(
  '2026-07-15T23:15:00+02:00',
  'The edit has had its time, but people have gone to bed.',
)

export const moments: readonly Moment[] = [
  told('2026-07-15T18:45:00+02:00', 'Just published. Two readings prove nothing.'),
  told('2026-07-15T19:00:00+02:00', 'People see it and answer it. It is left alone.'),
  told(
    '2026-07-15T20:30:00+02:00',
    'It is still shown, but the answers dry up. One look may be an accident, so nothing ' +
      'happens before the third in a row.',
  ),
  told('2026-07-15T21:00:00+02:00', 'The third look, and it got worse. Now something is done.'),
  told('2026-07-15T21:01:00+02:00', 'The edit is being sent. Nothing else may start beside it.'),
  told('2026-07-15T21:15:00+02:00', 'The edit has landed. Now it gets time to work.'),
  quietMoment,
  told(
    '2026-07-16T08:30:00+02:00',
    'Morning, and people answer again. Whether the edit did that, one post cannot tell: that ' +
      'takes many posts, and some that were left alone by lot.',
  ),
]

function told(now: string, caption: string): Moment {
  return { now: parseInstant(now, 'now'), caption }
}
