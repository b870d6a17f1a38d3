/** Owns the set of guards and runs those a policy lists, in its order. */

import { z } from 'zod'
import { accountBudget } from './account-budget.ts'
import { actionCooldown } from './action-cooldown.ts'
import { backlash } from './backlash.ts'
import { duplicate } from './duplicate.ts'
import { expiredBefore } from './expired-before.ts'
import { failedBefore } from './failed-before.ts'
import { futility } from './futility.ts'
import type { Check, Facts, GuardContext } from './guard.ts'
import { holdout } from './holdout.ts'
import { lifetimeMaximum } from './lifetime-maximum.ts'
import { neverTouch } from './never-touch.ts'
import { openAction } from './open-action.ts'
import { paused } from './paused.ts'
import { platformBudget } from './platform-budget.ts'
import { postAge } from './post-age.ts'
import { quietHours } from './quiet-hours.ts'
import { rejectedBefore } from './rejected-before.ts'
import { windowFrequency } from './window-frequency.ts'

/** The settings of one guard in a policy. */
export const guardSettings = z.discriminatedUnion('guard', [
  paused.settings,
  neverTouch.settings,
  postAge.settings,
  openAction.settings,
  duplicate.settings,
  windowFrequency.settings,
  actionCooldown.settings,
  lifetimeMaximum.settings,
  accountBudget.settings,
  platformBudget.settings,
  quietHours.settings,
  rejectedBefore.settings,
  expiredBefore.settings,
  failedBefore.settings,
  futility.settings,
  backlash.settings,
  holdout.settings,
])
export type GuardSettings = Readonly<z.infer<typeof guardSettings>>
export type GuardName = GuardSettings['guard']

/** What one guard said. */
export type GuardReport = Check<Facts> & { readonly guard: GuardName }

/** Any of them; the settings and facts it is called with are always its own. */
interface AnyGuard {
  check(context: GuardContext, settings: never): Check<Facts>
  describe(facts: never): string
}

const guards: Readonly<Record<GuardName, AnyGuard>> = {
  paused,
  never_touch: neverTouch,
  post_age: postAge,
  open_action: openAction,
  duplicate,
  window_frequency: windowFrequency,
  action_cooldown: actionCooldown,
  lifetime_maximum: lifetimeMaximum,
  account_budget: accountBudget,
  platform_budget: platformBudget,
  quiet_hours: quietHours,
  rejected_before: rejectedBefore,
  expired_before: expiredBefore,
  failed_before: failedBefore,
  futility,
  backlash,
  holdout,
}

/**
 * Runs every guard, also after one has held, so that a person sees all that stands in the way.
 * The first hold in the policy's order is the reason of the verdict.
 */
export function runGuards(
  context: GuardContext,
  settings: readonly GuardSettings[],
): readonly GuardReport[] {
  return settings.map((entry) => {
    const check = guards[entry.guard].check(context, entry as never)
    return check.kind === 'pass'
      ? { guard: entry.guard, kind: 'pass', facts: check.facts }
      : { guard: entry.guard, kind: 'hold', facts: check.facts, until: check.until }
  })
}

/** What a guard saw, in words that name each of its numbers. */
export function describeGuard(report: GuardReport): string {
  return guards[report.guard].describe(report.facts as never)
}
