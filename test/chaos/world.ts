/**
 * Owns the installation in which the chaos is made: networks of each class of write, policies with
 * a wide and with a narrow budget, accounts that act by themselves and accounts that ask, and times
 * so short that everything which can run out does so within seconds.
 */

import { hourMs, minuteMs } from '../../src/core/duration.ts'
import { toAccountId, toPostId } from '../../src/core/ids.ts'
import { policyId } from '../../src/core/policy.ts'
import type { Policy } from '../../src/core/policy.ts'
import type { EngineSettings } from '../../src/engine/parts.ts'
import type { AccountRow, Mode, PostRow } from '../../src/ledger/index.ts'
import type { Ledger } from '../../src/ledger/index.ts'
import { newAccount } from '../../src/ledger/new-account.ts'
import { profiles } from '../../src/platform/simulated/index.ts'
import type { Profile, World } from '../../src/platform/simulated/index.ts'
import { systemClock } from '../../src/system.ts'
import { stillPolicy } from '../builders/still-network.ts'

/** Without limits of its own, so that only the chaos decides. What is written shows at once. */
function shaped(profile: Profile): Profile {
  const description = {
    ...profile.description,
    rates: [],
    visibleWithinMs: 0,
    counterLagMs: 0,
    hasImpressions: true,
  }
  return { ...profile, rates: [], description }
}

/** Recognises a repeat (A), can only be read back (B), and can not even be read back (C). */
export const chaosProfiles: readonly Profile[] = [
  shaped(profiles.bluesky),
  shaped(profiles.full),
  shaped(profiles.telegram),
]

/** A send must be over well before its claim runs out, and a stalled line outlasts both. */
export const chaosSettings: Partial<EngineSettings> = {
  leaseMs: 2500,
  sendDeadlineMs: 1000,
  readDeadlineMs: 1000,
  askAgainMs: 600,
  settleDelayMs: 250,
  unreadAgainMs: 400,
  rateRestMs: 500,
  breathMs: 100,
}

function policyWith(name: string, perHour: number, first: Policy['guards']): Policy {
  const { guards, retry } = stillPolicy
  const budget = { guard: 'account_budget', perHour, perDay: 10 * perHour } as const
  return {
    ...stillPolicy,
    name,
    guards: [...first, ...guards, budget],
    retry: { ...retry, firstDelayMs: 100, maximumDelayMs: 500 },
  }
}

/** Without the guard that asks for pauses early, all rests on the attempt, which asks anyway. */
const wide = policyWith('chaos-wide', 10_000, [])
/** Far fewer than there are posts to act on. */
export const narrowPerHour = 6
const narrow = policyWith('chaos-narrow', narrowPerHour, [{ guard: 'paused' }])
export const chaosPolicies: readonly Policy[] = [wide, narrow]

export const narrowAccounts: ReadonlySet<string> = new Set(['narrow-auto', 'narrow-approve'])

export async function addAccounts(
  ledger: Ledger,
  worldOf: (platform: string) => World,
): Promise<readonly AccountRow[]> {
  for (const policy of chaosPolicies) await ledger.savePolicy(policy)
  const now = await ledger.now()
  const modes = ['auto', 'approve'] as const
  const accounts: AccountRow[] = []
  const add = async (name: string, platform: string, mode: Mode, policy: Policy) => {
    const row: AccountRow = {
      ...newAccount(toAccountId(name), now, { platform, handle: name }),
      mode,
      policy: policyId(policy),
      holdoutShare: 0,
      discoverAt: null,
    }
    worldOf(platform).addAccount({ handle: name })
    await ledger.saveAccount(row)
    accounts.push(row)
  }
  for (const mode of modes) {
    for (const { description } of chaosProfiles) {
      await add(`${description.platform}-${mode}`, description.platform, mode, wide)
    }
    await add(`narrow-${mode}`, profiles.full.description.platform, mode, narrow)
  }
  return accounts
}

/** How long before now the readings were taken that are there from the start. */
const agesMs = [120, 100, 80, 60, 40, 20, 10].map((minutes) => minutes * minuteMs)

/** Publishes a post that was shown for hours, and nobody cared. */
export function publishPost(world: World, account: AccountRow, name: string): PostRow {
  const now = systemClock.now()
  const publishedAt = now - 7 * hourMs
  const text = `This is ${name}.`
  return {
    id: toPostId(name),
    accountId: account.id,
    platform: account.platform,
    remoteId: world.publish(account.handle, { text, at: publishedAt }),
    url: null,
    text,
    contentVersion: null,
    publishedAt,
    status: 'watched',
    neverTouch: false,
    arm: null,
    propensity: null,
    // Not before its readings are there.
    nextCheckAt: now + hourMs,
    trackedAt: now,
    closedAt: null,
  }
}

/** Lets the ledger watch them from now on. It can be repeated. */
export async function watchPosts(ledger: Ledger, posts: readonly PostRow[]): Promise<void> {
  await ledger.trackPosts(posts)
  await ledger.recordSamples(
    posts.flatMap(({ id: postId, trackedAt }) =>
      agesMs.map((ageMs, index) => {
        const sample = { at: trackedAt - ageMs, impressions: 1000 * (index + 1), engagements: 0 }
        return { postId, sample }
      }),
    ),
  )
  await ledger.setNextCheckAt(
    posts.map(({ id }) => id),
    await ledger.now(),
  )
}
