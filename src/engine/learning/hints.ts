/** Owns what the measured lift suggests about a policy, a sentence each; it changes nothing. */

import { formatCount, plural } from '../../core/wording.ts'
import type { Lift } from '../../core/lift/lift.ts'
import type { GroupLift } from './groups.ts'

/** What an action came to on one platform. */
export interface ActionOnPlatform extends GroupLift {
  readonly action: string
  readonly platform: string
}

/** From this share of lost posts in one arm more than in the other, the loss itself may be news. */
const unevenLoss = 0.1

/** One sentence for each action on each platform that there is something to say about. */
export function hintsFrom(groups: readonly ActionOnPlatform[]): readonly string[] {
  return groups.flatMap((group) => {
    const name = `${group.action}s on ${group.platform}`
    if (group.lift === null) {
      return [`${name}: not measured; hold out at least 20 % of posts to learn whether they help`]
    }
    return [`${name}${hintFrom(group.lift, group.action)}`, ...warnOfLoss(name, group, group.lift)]
  })
}

/** What an estimate is conditional on has to be said beside it. */
export function hintOfExploring(posts: number): readonly string[] {
  if (posts === 0) return []
  return [
    `for ${plural(posts, 'post')} the action or its words were drawn by what had helped before: ` +
      'each lift is of the posts it was drawn for, and the pooled one of the mix that was drawn',
  ]
}

function hintFrom(lift: Lift, action: string): string {
  const after = `after ${plural(lift.posts, 'post')}`
  const size = lift.effect === null ? '' : ` (${formatLift(lift.effect.lift)})`
  switch (lift.verdict) {
    case 'helps':
      return ` help${size}, proven ${after}: keep them`
    case 'hurts':
      return ` hurt${size}, proven ${after}: consider removing ${action} from the ladder`
    case 'unproven':
      return `: unproven ${after}; ${describeNeed(lift, action)}`
  }
}

function describeNeed({ effect, morePosts }: Lift, action: string): string {
  if (morePosts === null) {
    return `a fifth more would have shown by now: consider removing ${action} from the ladder`
  }
  const more = `${formatCount(roughly(morePosts))} more`
  return effect === null ? `at least ${more} are needed` : `about ${more} are needed`
}

/** Posts that are lost more often in one arm make the rest of that arm another kind of posts. */
function warnOfLoss(name: string, { leftOut }: GroupLift, lift: Lift): readonly string[] {
  const share = (lost: number, known: number) => (lost === 0 ? 0 : lost / (lost + known))
  const acted = share(leftOut.lost.act, lift.acted)
  const heldOut = share(leftOut.lost.holdout, lift.heldOut)
  if (Math.abs(acted - heldOut) < unevenLoss) return []
  const count = plural(leftOut.lost.act, 'acted-on post')
  return [
    `${name}: ${count} and ${formatCount(leftOut.lost.holdout)} held out were lost before they ` +
      'were measured; the lift does not include them and may be off',
  ]
}

/** Two digits: it is an estimate. */
function roughly(count: number): number {
  return Number(count.toPrecision(2))
}

/** `+52 %`, `-8 %`. */
export function formatLift(lift: number): string {
  return `${lift < 0 ? '-' : '+'}${formatCount(Math.round(Math.abs(lift) * 100))} %`
}
