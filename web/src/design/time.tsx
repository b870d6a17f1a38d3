/** Owns times on screen: as seen from now, with the exact one on hover and for screen readers. */

import { useNow } from '../shell/now.tsx'
import { formatExactly, formatFromNow } from '../words/time.ts'

export interface TimeProps {
  /** ISO 8601. */
  readonly at: string
}

export function Time({ at }: TimeProps) {
  const now = useNow()
  const instant = Date.parse(at)
  return (
    <time dateTime={at} title={formatExactly(instant)} className="whitespace-nowrap">
      {formatFromNow(instant, now)}
    </time>
  )
}

export function ExactTime({ at }: TimeProps) {
  return (
    <time dateTime={at} title={at} className="whitespace-nowrap tabular-nums">
      {formatExactly(Date.parse(at))}
    </time>
  )
}
