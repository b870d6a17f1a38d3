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
export type GuardReport = Check<GuardName, Facts>

/** Any of them; the settings and facts it is called with are always its own. */
interface AnyGuard {
  check(context: GuardContext, settings: never): GuardReport
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
  const reports: GuardReport[] = []
  for (const entry of entriesOf(settings)) reports.push(entry.guard.check(context, entry.settings))
  return reports
}

/** A guard with its settings in one policy. */
interface Entry {
  readonly guard: AnyGuard
  readonly settings: never
}

/** Which guard an entry names is looked up once for each policy, not in each decision. */
const entries = new WeakMap<readonly GuardSettings[], readonly Entry[]>()

function entriesOf(settings: readonly GuardSettings[]): readonly Entry[] {
  const known = entries.get(settings)
  if (known !== undefined) return known
  const found = settings.map((entry) => ({
    guard: guards[entry.guard],
    settings: entry as never,
  }))
  entries.set(settings, found)
  return found
}

/** What a guard saw, in words that name each of its numbers. */
export function describeGuard(report: GuardReport): string {
  return guards[report.guard].describe(report.facts as never)
}
