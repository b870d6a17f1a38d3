/** Owns the one sentence at the top: does it help, as far as that can be told? */

import type { GroupLiftView } from '../../../../src/server/schema/lift.ts'
import { formatCount } from '../../words/numbers.ts'
import { wordLift } from './wording.ts'

const tones = { helps: 'good', hurts: 'bad', unproven: 'plain' } as const

export function VerdictOnLift({ pooled }: { readonly pooled: GroupLiftView }) {
  const { lift } = pooled
  return (
    <div className="note" data-tone={lift === null ? 'plain' : tones[lift.verdict]}>
      <div>
        <p className="text-lg font-semibold">{wordLift(pooled)}</p>
        <p className="text-ink-soft">
          {lift === null
            ? 'Give an account a holdout share above 0 to find out.'
            : `${formatCount(lift.acted)} posts were acted on and ${formatCount(lift.heldOut)} ` +
              'held out at random. They are compared with each other, never before with after.'}
        </p>
      </div>
    </div>
  )
}
