/** Owns lift by group: the interval as a bar, and the same numbers beside it. */

import type { GroupLiftView } from '../../../../src/server/schema/lift.ts'
import { Badge } from '../../design/badge.tsx'
import { Section } from '../../design/page.tsx'
import { formatChange, formatCount } from '../../words/numbers.ts'
import { wordName } from '../../words/states.ts'
import { IntervalBar } from './interval-bar.tsx'
import { wordLift } from './wording.ts'

const tones = { helps: 'good', hurts: 'bad', unproven: 'plain' } as const

export interface LiftTableProps {
  /** What the groups are, as a heading. */
  readonly noun: string
  readonly groups: readonly GroupLiftView[]
}

export function LiftTable({ noun, groups }: LiftTableProps) {
  const title = `By ${noun.toLowerCase()}`
  if (groups.length === 0) return null
  return (
    <Section title={title} isFlush>
      <div className="overflow-x-auto" role="group" tabIndex={0} aria-label={title}>
        <table className="table">
          <thead>
            <tr>
              <th scope="col">{noun}</th>
              <th scope="col">Verdict</th>
              <th scope="col">Lift, with its interval</th>
              <th scope="col" data-number="true">
                Acted on
              </th>
              <th scope="col" data-number="true">
                Held out
              </th>
            </tr>
          </thead>
          <tbody>
            {groups.map((group) => (
              <LiftRow key={group.name} group={group} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function LiftRow({ group }: { readonly group: GroupLiftView }) {
  const { lift } = group
  const effect = lift?.effect ?? null
  return (
    <tr>
      <th scope="row">{wordName(group.name)}</th>
      <td>
        <Badge tone={lift === null ? 'plain' : tones[lift.verdict]} title={wordLift(group)}>
          {lift === null ? 'not measured' : lift.verdict}
        </Badge>
      </td>
      <td className="min-w-56">
        {effect === null ? (
          <span className="text-ink-soft">{wordLift(group)}</span>
        ) : (
          <span className="grid gap-1">
            <IntervalBar lower={effect.lowerLift} middle={effect.lift} upper={effect.upperLift} />
            <span className="text-xs text-ink-soft tabular-nums">
              {formatChange(effect.lift)}, between {formatChange(effect.lowerLift)} and{' '}
              {formatChange(effect.upperLift)}
            </span>
          </span>
        )}
      </td>
      <td data-number="true">{formatCount(lift?.acted ?? 0)}</td>
      <td data-number="true">{formatCount(lift?.heldOut ?? 0)}</td>
    </tr>
  )
}
