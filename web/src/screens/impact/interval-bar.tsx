/** Owns the picture of an interval around "no effect". The numbers stand beside it. */

export interface IntervalBarProps {
  /** Shares: 0.5 is half as much again. */
  readonly lower: number
  readonly middle: number
  readonly upper: number
}

const widthPx = 260
const heightPx = 18
/** From an eighth to eight times as much; twice and half lie equally far from no effect. */
const reach = Math.log(8)
/** So that a mark at the edge is whole. */
const edgePx = 6

function toX(share: number): number {
  const value = Math.min(reach, Math.max(-reach, Math.log(Math.max(0.01, 1 + share))))
  return edgePx + ((value + reach) / (2 * reach)) * (widthPx - 2 * edgePx)
}

export function IntervalBar({ lower, middle, upper }: IntervalBarProps) {
  const tone = lower > 0 ? 'text-good' : upper < 0 ? 'text-bad' : 'text-ink-faint'
  const y = heightPx / 2
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${widthPx} ${heightPx}`}
      className={`h-4.5 w-full max-w-65 ${tone}`}
    >
      <line x1="0" x2={widthPx} y1={y} y2={y} className="stroke-line" strokeWidth="1" />
      <line
        x1={toX(0)}
        x2={toX(0)}
        y1="0"
        y2={heightPx}
        className="stroke-line-strong"
        strokeDasharray="2 2"
      />
      <line
        x1={toX(lower)}
        x2={toX(upper)}
        y1={y}
        y2={y}
        stroke="currentColor"
        strokeWidth="5"
        strokeLinecap="round"
        opacity="0.4"
      />
      <circle cx={toX(middle)} cy={y} r="4.5" fill="currentColor" />
    </svg>
  )
}
