/** The networks and accounts of the simulated installation: one of every kind of write. */

import type { Mode } from '../../src/ledger/index.ts'
import { profiles } from '../../src/platform/simulated/index.ts'
import type { Profile } from '../../src/platform/simulated/index.ts'

/** The same network, if it showed how often a post was seen. */
function withImpressions(profile: Profile): Profile {
  return { ...profile, description: { ...profile.description, hasImpressions: true } }
}

export interface AccountPlan {
  readonly handle: string
  readonly policy: string
  readonly mode: Mode
  readonly timeZone: string
  readonly holdoutShare: number
  /** How many days lie between two times of publishing, on average. */
  readonly daysBetween: number
}

export interface NetworkPlan {
  readonly profile: Profile
  readonly accounts: readonly AccountPlan[]
}

function account(
  handle: string,
  policy: string,
  mode: Mode,
  rest: Partial<AccountPlan> = {},
): AccountPlan {
  return { handle, policy, mode, timeZone: 'UTC', holdoutShare: 0, daysBetween: 8.7, ...rest }
}

/** What the year-long simulation runs on. */
export const wholeInstallation: readonly NetworkPlan[] = [
  {
    profile: profiles.full,
    accounts: [
      account('ada', 'brisk@1', 'auto', { timeZone: 'Europe/Vienna' }),
      account('abe', 'standard@1', 'auto', { holdoutShare: 0.2, daysBetween: 50 }),
    ],
  },
  {
    profile: withImpressions(profiles.mastodon),
    accounts: [
      account('bob', 'brisk@1', 'auto', { timeZone: 'America/New_York' }),
      account('bea', 'brisk@1', 'approve', { holdoutShare: 0.2 }),
    ],
  },
  {
    profile: withImpressions(profiles.bluesky),
    accounts: [account('cyd', 'brisk@1', 'approve', { timeZone: 'Asia/Kolkata' })],
  },
  {
    profile: profiles.gotosocial,
    accounts: [account('dan', 'blunt@1', 'auto', { timeZone: 'Pacific/Auckland' })],
  },
  { profile: profiles.telegram, accounts: [account('eve', 'blunt@1', 'auto')] },
  { profile: profiles.nostr, accounts: [account('flo', 'blunt@1', 'auto')] },
  {
    profile: profiles.x,
    accounts: [account('gus', 'early@1', 'auto', { daysBetween: 14 })],
  },
]
