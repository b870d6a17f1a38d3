/** Owns saying what was measured, without saying more than was measured. Pure. */

import type { GroupLiftView } from '../../../../src/server/schema/lift.ts'
import { formatChange, plural } from '../../words/numbers.ts'

/** One plain sentence for a group. */
export function wordLift({ lift }: GroupLiftView): string {
  if (lift === null) {
    return 'Not measured: no post is held out, so lift cannot be told from luck.'
  }
  const { verdict, effect, morePosts } = lift
  if (effect === null) {
    return `Unproven: too few posts yet. At least ${plural(morePosts ?? 0, 'more post')} needed.`
  }
  const [lower, upper] = [formatChange(effect.lowerLift), formatChange(effect.upperLift)]
  const range = `${lower} and ${upper}`
  switch (verdict) {
    case 'helps':
      return `Proven to help: ${formatChange(effect.lift)}, between ${range} with 95 % confidence.`
    case 'hurts':
      return `Proven to hurt: ${formatChange(effect.lift)}, between ${range} with 95 % confidence.`
    case 'unproven':
      return `Unproven: anything between ${range} is possible. ${wordMore(morePosts)}`
  }
}

function wordMore(morePosts: number | null): string {
  if (morePosts === null) return 'An effect of a fifth or more would have shown by now.'
  return `About ${plural(morePosts, 'more post')} would settle it.`
}
