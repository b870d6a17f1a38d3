/** I3: cooldowns last as long as they say, from the moment at which something was really done. */

import {
  accountOf,
  actionOf,
  guardOf,
  isClaim,
  knownHandReplies,
  otherEffectsOnPost,
  policyOf,
} from './scene.ts'
import type { Check, Scene } from './scene.ts'

export function checkCooldowns(scene: Scene): Check {
  return {
    onEvent(event) {
      if (!isClaim(event)) return
      const row = actionOf(scene, event)
      const guard = guardOf(policyOf(scene, accountOf(scene, row)), 'action_cooldown')
      if (guard === null || row.undoes !== null) return
      const cooldownMs = guard.cooldownMs[row.action]
      const times = otherEffectsOnPost(scene, row)
        .filter(({ effect }) => effect.action === row.action)
        .map(({ at }) => at)
      if (row.action === 'comment') times.push(...knownHandReplies(scene, row))
      const last = Math.max(...times)
      if (event.at - last >= cooldownMs) return
      const restedMs = event.at - last
      scene.suspect('I3', `the post rested ${restedMs} ms of ${cooldownMs} ms`, row)
    },
  }
}
