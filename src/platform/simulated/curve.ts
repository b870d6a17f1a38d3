/**
 * Owns how interest in a post comes and goes: which share of all it will ever get has come by when.
 * A curve is a closed formula, so that any moment can be asked for at the same price.
 */

import { dayMs, hourMs, minuteMs } from '../../core/duration.ts'
import type { Instant } from '../../core/instant.ts'
import type { Stream } from './seeded-random.ts'

/** Most fade slowly; some die within the first hour; some are found late. */
export const curveKinds = ['usual', 'stalled', 'late'] as const
export type CurveKind = (typeof curveKinds)[number]

/** A burst that fades by half-lives, a long tail that fades by a power, and perhaps a late wave. */
export interface Curve {
  readonly kind: CurveKind
  readonly burstShare: number
  readonly burstMs: number
  readonly tailMs: number
  readonly tailPower: number
  /** 0 where no late wave comes. */
  readonly waveShare: number
  readonly waveAtMs: number
  readonly waveWidthMs: number
}

export function drawCurve(kind: CurveKind, stream: Stream): Curve {
  const isStalled = kind === 'stalled'
  return {
    kind,
    burstShare: isStalled ? stream.between(0.6, 0.85) : stream.between(0.25, 0.55),
    burstMs: stream.logNormal(isStalled ? 14 * minuteMs : 1.2 * hourMs, 0.35),
    tailMs: stream.logNormal(5 * hourMs, 0.4),
    tailPower: stream.between(1.1, 1.6),
    waveShare: kind === 'late' ? stream.between(0.6, 0.9) : 0,
    waveAtMs: stream.between(4 * hourMs, 30 * hourMs),
    waveWidthMs: stream.between(30 * minuteMs, 2 * hourMs),
  }
}

/** The share of the total that has come after so much active time: from 0, never falling, to 1. */
export function shareGained(curve: Curve, activeMs: number): number {
  if (activeMs <= 0) return 0
  const burst = 1 - Math.exp(-activeMs / curve.burstMs)
  const base = curve.burstShare * burst + (1 - curve.burstShare) * tail(curve, activeMs, 1)
  if (curve.waveShare === 0) return base
  return (1 - curve.waveShare) * base + curve.waveShare * wave(curve, activeMs)
}

/** Posts go on being shown after people stopped reacting: impressions spread further. */
export function shareShown(curve: Curve, activeMs: number): number {
  if (activeMs <= 0) return 0
  return 0.6 * shareGained(curve, activeMs) + 0.4 * tail(curve, activeMs, 2)
}

function tail(curve: Curve, activeMs: number, stretch: number): number {
  return 1 - (1 + activeMs / (curve.tailMs * stretch)) ** -curve.tailPower
}

/** A logistic step, moved so that it begins at 0. */
function wave({ waveAtMs, waveWidthMs }: Curve, activeMs: number): number {
  const start = logistic(-waveAtMs / waveWidthMs)
  return (logistic((activeMs - waveAtMs) / waveWidthMs) - start) / (1 - start)
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x))
}

/** How active people are over the day; 0.5 means half as much more at the peak. */
const dailySwing = 0.5

/**
 * Turns time into active time: by day more of it passes in an hour than by night. The peak is given
 * as the time of day, in milliseconds after midnight UTC.
 */
export function activeTime(at: Instant, peakMs: number): number {
  const turn = (2 * Math.PI) / dayMs
  return at + (dailySwing / turn) * Math.sin(turn * (at - peakMs))
}
