/** Owns the life of an action, step by step: plan, guards, approval, send, reconcile, measure. */

import type { TimelineEntry } from '../../../../src/server/schema/action.ts'
import { Prose } from '../../design/prose.tsx'
import { ExactTime } from '../../design/time.tsx'
import { wordName } from '../../words/states.ts'

export function Timeline({ entries }: { readonly entries: readonly TimelineEntry[] }) {
  return (
    <ol className="timeline">
      {entries.map((entry, index) => (
        <li key={index} data-tone={entry.tone}>
          <p>
            <span className="sr-only">{wordName(entry.kind)}: </span>
            <Prose text={entry.sentence} />
          </p>
          <p className="text-xs text-ink-faint">
            <ExactTime at={entry.at} />
            {entry.by === null ? '' : ` · ${entry.by}`}
          </p>
        </li>
      ))}
    </ol>
  )
}
