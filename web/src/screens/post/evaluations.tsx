/** Owns every evaluation of a post, with the numbers each rests on. */

import { useState } from 'react'
import type { VerdictView } from '../../../../src/server/schema/verdict.ts'
import { VerdictMark } from '../../design/action-marks.tsx'
import { Button } from '../../design/button.tsx'
import { Section } from '../../design/page.tsx'
import { Prose } from '../../design/prose.tsx'
import { Time } from '../../design/time.tsx'
import { GuardList } from '../../preview/guard-list.tsx'
import { formatScore, plural } from '../../words/numbers.ts'
import { wordName } from '../../words/states.ts'

const firstShown = 10

export function Evaluations({ verdicts }: { readonly verdicts: readonly VerdictView[] }) {
  const [shown, setShown] = useState(firstShown)
  return (
    <Section title="Evaluations" aside={plural(verdicts.length, 'evaluation')}>
      {verdicts.length === 0 ? (
        <p className="text-ink-soft">None yet.</p>
      ) : (
        <ol className="grid divide-y divide-line">
          {verdicts.slice(0, shown).map((verdict) => (
            <li key={`${verdict.at} ${verdict.policy}`} className="py-2 first:pt-0 last:pb-0">
              <Evaluation verdict={verdict} />
            </li>
          ))}
        </ol>
      )}
      {verdicts.length > shown ? (
        <div className="mt-3">
          <Button size="small" onClick={() => setShown(verdicts.length)}>
            Show all {verdicts.length}
          </Button>
        </div>
      ) : null}
    </Section>
  )
}

function Evaluation({ verdict }: { readonly verdict: VerdictView }) {
  return (
    <details className="text-sm">
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1">
        <span className="w-20 text-ink-faint">
          <Time at={verdict.evaluatedAt} />
        </span>
        <VerdictMark kind={verdict.kind} />
        <span className="w-12 text-ink-soft tabular-nums">
          {verdict.score === null ? '–' : formatScore(verdict.score)}
        </span>
        <span className="text-ink-soft">
          {verdict.reason === null ? '' : wordName(verdict.reason)}
        </span>
      </summary>
      <div className="mt-2 grid gap-3 rounded-md bg-sunken p-3">
        <p>
          <Prose text={verdict.sentence} />
        </p>
        {verdict.guards.length === 0 ? null : <GuardList guards={verdict.guards} />}
        <details>
          <summary className="cursor-pointer text-ink-soft">Everything it saw</summary>
          <pre
            className="mt-2 max-h-80 overflow-auto font-mono text-xs"
            tabIndex={0}
            aria-label="Trace of the decision"
          >
            {JSON.stringify(verdict.trace, null, 2)}
          </pre>
        </details>
      </div>
    </details>
  )
}
