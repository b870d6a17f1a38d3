/** Owns the line that says what a group of posts gained, and how sure that is. */

import type { GroupLiftView } from '../server/schema/lift.ts'
import { formatPercent, plural } from '../core/wording.ts'

export function liftLine({ name, lift, leftOut }: GroupLiftView, shownName = name): string {
  const waiting = leftOut.waiting.act + leftOut.waiting.holdout
  const rest = waiting === 0 ? '' : `; ${plural(waiting, 'post')} not measured yet`
  if (lift === null) return `${shownName}: not measured, as no post is held out${rest}`
  const { acted, heldOut, effect, morePosts, verdict } = lift
  const basis = `${acted} helped, ${heldOut} left alone`
  if (effect === null) {
    const more = plural(morePosts ?? 0, 'more post')
    return `${shownName}: unproven (${basis}); at least ${more}${rest}`
  }
  const range = `${share(effect.lowerLift)} to ${share(effect.upperLift)}`
  const more =
    verdict !== 'unproven'
      ? ''
      : morePosts === null
        ? '; an effect of a fifth would have shown by now'
        : `; about ${plural(morePosts, 'more post')} needed`
  return `${shownName}: ${verdict}, ${share(effect.lift)} (${range}; ${basis})${more}${rest}`
}

function share(value: number): string {
  const sign = value < 0 ? '−' : '+'
  return `${sign}${formatPercent(Math.abs(value))}`
}
