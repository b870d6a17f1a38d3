/** Owns the small curve in a table row. The numbers beside it say the same to a screen reader. */

import { sparkPath } from './spark-path.ts'
import type { SparkPoint } from './spark-path.ts'

export interface SparklineProps {
  readonly points: readonly SparkPoint[]
  readonly tone: 'good' | 'warn' | 'plain'
}

const widthPx = 96
const heightPx = 26
const colours = { good: 'text-good', warn: 'text-warn', plain: 'text-ink-faint' } as const

export function Sparkline({ points, tone }: SparklineProps) {
  const path = sparkPath(points, widthPx, heightPx)
  if (path === null) return <span className="text-xs text-ink-faint">too few samples</span>
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${widthPx} ${heightPx}`}
      width={widthPx}
      height={heightPx}
      className={colours[tone]}
      fill="none"
    >
      <path d={path.area} fill="currentColor" opacity="0.12" />
      <path d={path.line} stroke="currentColor" strokeWidth="1.5" strokeLinejoin="round" />
    </svg>
  )
}
