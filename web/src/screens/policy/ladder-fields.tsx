/** Owns which action answers which tier. */

import type { Policy } from './draft.ts'

type Ladder = Policy['ladder']
type TierName = keyof Ladder

const tiers: readonly TierName[] = ['tier_1', 'tier_2', 'tier_3']
const usual: readonly string[] = [
  'comment',
  'edit',
  'thread',
  'edit,comment',
  'thread,comment',
  'thread,edit,comment',
]

export interface LadderFieldsProps {
  readonly ladder: Ladder
  readonly onChange: (path: string, value: unknown) => void
}

export function LadderFields({ ladder, onChange }: LadderFieldsProps) {
  return tiers.map((tier) => {
    const value = ladder[tier].join(',')
    const options = usual.includes(value) ? usual : [value, ...usual]
    return (
      <p key={tier} className="leading-8">
        At {tier.replace('_', ' ')} it takes{' '}
        <select
          className="input"
          data-inline="true"
          aria-label={`Action at ${tier.replace('_', ' ')}`}
          value={value}
          onChange={(event) => onChange(`ladder.${tier}`, event.target.value.split(','))}
        >
          {options.map((option) => (
            <option key={option} value={option}>
              {wordLadder(option)}
            </option>
          ))}
        </select>
      </p>
    )
  })
}

/** `edit,comment` → `an edit, or else a comment`. */
function wordLadder(option: string): string {
  return option
    .split(',')
    .map((action) => (action === 'edit' ? 'an edit' : `a ${action}`))
    .join(', or else ')
}
