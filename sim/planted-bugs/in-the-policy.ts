/** Bugs that decide by other numbers than the owner's. */

import { minuteMs } from '../../src/core/duration.ts'
import type { Policy } from '../../src/core/policy.ts'
import type { PlantedBug } from './planted-bug.ts'
import { withCalls, withoutGuard, withPolicy } from './seams.ts'

function withGuards(policy: Policy, change: (guard: Policy['guards'][number]) => typeof guard) {
  return { ...policy, guards: policy.guards.map(change) }
}

const noCooldown = { comment: 0, edit: 0, thread: 0 }
const everythingStalls = { tier_1: 0, tier_2: 0, tier_3: 0 }

export const policyBugs: readonly PlantedBug[] = [
  {
    name: 'one-too-many-in-the-window',
    breaks: 'I2',
    mistake: 'compares with < where it should be ≤',
    ledger: withPolicy((policy) =>
      withGuards(policy, (guard) =>
        guard.guard === 'window_frequency' ? { ...guard, maximum: guard.maximum + 1 } : guard,
      ),
    ),
  },
  {
    name: 'no-end-of-life',
    breaks: 'I2',
    mistake: 'forgets how many actions a post had in its life',
    ledger: withPolicy(withoutGuard('lifetime_maximum')),
  },
  {
    name: 'no-account-budget',
    breaks: 'I2',
    mistake: 'forgets the budget of the account',
    ledger: withPolicy(withoutGuard('account_budget')),
  },
  {
    name: 'no-platform-budget',
    breaks: 'I2',
    mistake: 'forgets what all accounts together send to a platform',
    ledger: withPolicy(withoutGuard('platform_budget')),
  },
  {
    name: 'no-cooldown',
    breaks: 'I3',
    mistake: 'lets a post rest for no time at all',
    ledger: withPolicy((policy) =>
      withGuards(policy, (guard) =>
        guard.guard === 'action_cooldown' ? { ...guard, cooldownMs: noCooldown } : guard,
      ),
    ),
  },
  {
    name: 'retries-without-end',
    breaks: 'I6',
    mistake: 'counts no attempts',
    ledger: withPolicy((policy) => ({
      ...policy,
      retry: {
        ...policy.retry,
        maximumAttempts: null,
        budgetMs: null,
        maximumDelayMs: minuteMs,
      },
    })),
  },
  {
    name: 'one-reading-suffices',
    breaks: 'I9',
    mistake: 'decides on whatever it has read',
    ledger: withPolicy((policy) => ({
      ...policy,
      evidence: { ...policy.evidence, minimumSamples: 1, minimumSpanMs: 0 },
    })),
  },
  {
    name: 'recovery-unnoticed',
    breaks: 'I9',
    mistake: 'does not look at the post again when it claims',
    ledger: withCalls((ledger) => ({
      claim: (command) =>
        ledger.claim({
          ...command,
          policy: { ...command.policy, tiers: { ...command.policy.tiers, rate: everythingStalls } },
        }),
    })),
  },
  {
    name: 'old-readings-suffice',
    breaks: 'I9',
    mistake: 'takes what it read hours ago for what is true now',
    ledger: withCalls((ledger) => ({
      claim: (command) => {
        const { policy } = command
        const evidence = { ...policy.evidence, maximumStalenessMs: null }
        return ledger.claim({ ...command, policy: { ...policy, evidence } })
      },
    })),
  },
  {
    name: 'no-quiet-hours',
    breaks: 'I11',
    mistake: 'speaks at any hour',
    ledger: withPolicy(withoutGuard('quiet_hours')),
  },
]
