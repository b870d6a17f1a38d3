/** Owns the strip of a post's states over time. */

import type { VerdictView } from '../../../src/server/schema/verdict.ts'
import { formatDuration, formatMoment } from '../words/time.ts'
import { layOutStates } from './state-strip-data.ts'
import type { Stretch, StripKind } from './state-strip-data.ts'

export interface StateStripProps {
  /** Epoch milliseconds. */
  readonly from: number
  readonly to: number
  readonly verdicts: readonly VerdictView[]
}

const words: Readonly<Record<StripKind, string>> = {
  healthy: 'healthy',
  stalled: 'stalled',
  insufficient: 'could not tell',
  gap: 'nobody looked',
}

function wordStretch({ kind, from, to }: Stretch): string {
  return `${words[kind]} from ${formatMoment(from)} for ${formatDuration(to - from)}`
}

export function StateStrip({ from, to, verdicts }: StateStripProps) {
  const stretches = layOutStates(from, to, verdicts)
  const spanMs = Math.max(1, to - from)
  return (
    <div>
      <ol className="strip" aria-label="States over time">
        {stretches.map((stretch) => (
          <li
            key={stretch.from}
            data-kind={stretch.kind}
            style={{ flexGrow: (stretch.to - stretch.from) / spanMs }}
            title={wordStretch(stretch)}
          >
            <span className="sr-only">
              {words[stretch.kind]} for {formatDuration(stretch.to - stretch.from)}
            </span>
          </li>
        ))}
      </ol>
      <ul className="mt-1.5 flex flex-wrap gap-x-4 gap-y-1 text-xs text-ink-soft">
        {Object.entries(words).map(([kind, word]) => (
          <li key={kind} className="flex items-center gap-1.5">
            <span className="strip-key" data-kind={kind} /> {word}
          </li>
        ))}
      </ul>
    </div>
  )
}
