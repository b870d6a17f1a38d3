/** The fifth stage: which action answers the tier on this platform. */

import type { Action, Tier } from './action.ts'
import type { Capabilities } from './capabilities.ts'

/** For each tier the action of choice, then what to take where the platform lacks it. */
export type Ladder = Readonly<Record<Tier, readonly Action[]>>

/** An action that was passed over, and why. */
export interface PassedOver {
  readonly action: Action
  readonly why: string
}

export interface ActionReport {
  /** Null where the platform has none of the tier's actions. */
  readonly action: Action | null
  readonly passedOver: readonly PassedOver[]
}

export function chooseAction(
  tier: Tier,
  ladder: Ladder,
  capabilities: Capabilities,
  ageMs: number | null,
): ActionReport {
  const passedOver: PassedOver[] = []
  for (const action of ladder[tier]) {
    const obstacle = findObstacle(action, capabilities, ageMs)
    if (obstacle === null) return { action, passedOver }
    passedOver.push({ action, why: obstacle })
  }
  return { action: null, passedOver }
}

function findObstacle(
  action: Action,
  capabilities: Capabilities,
  ageMs: number | null,
): string | null {
  const capability = capabilities.actions[action]
  if (!capability.supported) return capability.why
  if (capability.withinMs === null) return null
  if (ageMs === null) return 'nobody knows whether the platform still allows it'
  return ageMs <= capability.withinMs ? null : 'the time in which the platform allows it is over'
}
