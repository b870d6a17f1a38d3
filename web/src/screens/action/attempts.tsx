/** Owns the attempts: every single send, and what came back. */

import type { AttemptView } from '../../../../src/server/schema/action.ts'
import { Badge } from '../../design/badge.tsx'
import type { Tone } from '../../design/badge.tsx'
import { Section } from '../../design/page.tsx'
import { ExactTime } from '../../design/time.tsx'
import { wordName } from '../../words/states.ts'

const tones: Readonly<Record<AttemptView['result'], Tone>> = {
  pending: 'accent',
  landed: 'good',
  not_landed: 'bad',
  unknown: 'odd',
}

export function Attempts({ attempts }: { readonly attempts: readonly AttemptView[] }) {
  if (attempts.length === 0) return null
  return (
    <Section title="Attempts" isFlush>
      <div className="overflow-x-auto" role="group" tabIndex={0} aria-label="Attempts">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">No.</th>
              <th scope="col">Segment</th>
              <th scope="col">Begun</th>
              <th scope="col">Result</th>
              <th scope="col">Answer</th>
            </tr>
          </thead>
          <tbody>
            {attempts.map((attempt) => (
              <tr key={attempt.number}>
                <td>{attempt.number}</td>
                <td>{attempt.segment + 1}</td>
                <td>
                  <ExactTime at={attempt.startedAt} />
                </td>
                <td>
                  <Badge tone={tones[attempt.result]}>{wordName(attempt.result)}</Badge>
                </td>
                <td className="[overflow-wrap:anywhere]">
                  {attempt.fault === null
                    ? attempt.remoteId
                    : `${attempt.fault.code}: ${attempt.fault.detail}`}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}
