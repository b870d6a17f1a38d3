/** Owns what makes one simulated post differ from the next: all that chance gives it at birth. */

import { dayMs, hourMs } from '../../core/duration.ts'
import { arrivalPeriod } from './arrivals.ts'
import { curveKinds, drawCurve } from './curve.ts'
import type { Curve, CurveKind } from './curve.ts'
import type { Stream } from './seeded-random.ts'

/** How posts are distributed; a test or a demo may choose other values. */
export interface FormSettings {
  /** How often each kind of curve occurs, relative to the others. */
  readonly kinds: Readonly<Record<CurveKind, number>>
  /** Spread of a post's total around its account's usual one, in logarithms. */
  readonly totalSpread: number
  /** The share of posts that go far beyond the usual, by a power law. */
  readonly viralShare: number
  /** Engagements per impression in the middle of each kind. */
  readonly engagementRate: Readonly<Record<CurveKind, number>>
  /** The share of posts that get more replies than likes. */
  readonly disputedShare: number
  /** The share of posts that lose likes at some time, as networks remove spam accounts. */
  readonly purgedShare: number
}

export const standardForms: FormSettings = {
  kinds: { usual: 0.6, stalled: 0.3, late: 0.1 },
  totalSpread: 0.9,
  viralShare: 0.02,
  engagementRate: { usual: 0.04, stalled: 0.008, late: 0.025 },
  disputedShare: 0.02,
  purgedShare: 0.02,
}

export interface Form {
  readonly curve: Curve
  /** How many engagements are expected in all, if nobody acts. */
  readonly total: number
  readonly impressions: number
  /** For each counter its share of the engagements. */
  readonly shares: readonly number[]
  /** For each counter, and then for the impressions, where it begins in the arrivals. */
  readonly begins: readonly number[]
  /** Set where likes are taken away again. */
  readonly purge: { readonly afterMs: number; readonly share: number } | null
}

/** What a caller may fix instead of leaving it to chance. */
export interface FormWish {
  readonly kind?: CurveKind
  readonly total?: number
}

const usualShares: Readonly<Record<string, number>> = {
  likes: 0.7,
  replies: 0.12,
  reposts: 0.11,
  quotes: 0.03,
  bookmarks: 0.04,
}

const largestTotal = 10_000_000
/** Of a stalled post's audience so much had seen it before it died. */
const stalledPart = 0.5

/** The draws are made in a fixed order, wished for or not, so that a wish changes nothing else. */
export function drawForm(
  stream: Stream,
  settings: FormSettings,
  counters: readonly string[],
  usualTotal: number,
  wish: FormWish,
): Form {
  const drawnKind = drawKind(stream, settings)
  const kind = wish.kind ?? drawnKind
  const body = stream.logNormal(usualTotal, settings.totalSpread)
  const leap = stream.fraction() < settings.viralShare ? (1 - stream.fraction()) ** -0.8 : 1
  const drawnTotal = Math.min(largestTotal, body * leap * (kind === 'stalled' ? stalledPart : 1))
  const total = wish.total ?? drawnTotal
  const rate = Math.min(0.2, stream.logNormal(settings.engagementRate[kind], 0.4))
  const shares = drawShares(stream, settings, counters)
  const begins = [...counters, 'impressions'].map(() => stream.between(0, arrivalPeriod))
  const isPurged = stream.chance(settings.purgedShare)
  const purge = {
    afterMs: stream.between(2 * hourMs, 3 * dayMs),
    share: stream.between(0.05, 0.3),
  }
  const curve = drawCurve(kind, stream)
  return {
    curve,
    total,
    impressions: total / rate,
    shares,
    begins,
    purge: isPurged ? purge : null,
  }
}

function drawKind(stream: Stream, { kinds }: FormSettings): CurveKind {
  const sum = curveKinds.reduce((total, kind) => total + kinds[kind], 0)
  let place = stream.fraction() * sum
  for (const kind of curveKinds) {
    place -= kinds[kind]
    if (place < 0) return kind
  }
  return 'usual'
}

function drawShares(
  stream: Stream,
  { disputedShare }: FormSettings,
  counters: readonly string[],
): readonly number[] {
  const isDisputed = stream.chance(disputedShare)
  const weights = counters.map((name) => {
    const usual = isDisputed && name === 'replies' ? 4 : (usualShares[name] ?? 0.05)
    return stream.logNormal(usual, 0.25)
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return weights.map((weight) => weight / sum)
}
