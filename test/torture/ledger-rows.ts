/**
 * Owns the rows and commands that processes of tests and measurements work with: accounts, posts
 * that stall, plans and claims. Names are given by the caller, as several processes share a ledger.
 */

import type { Action, Tier } from '../../src/core/action.ts'
import { everythingSupported } from '../../src/core/capabilities.ts'
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import type { GuardSettings } from '../../src/core/guards/guards.ts'
import { toAccountId, toActionId, toPostId } from '../../src/core/ids.ts'
import type { AccountId, ActionId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import { actionKey } from '../../src/core/key.ts'
import { standardPolicy } from '../../src/core/policies/standard.ts'
import { policyId } from '../../src/core/policy.ts'
import type { Policy } from '../../src/core/policy.ts'
import type { AccountRow, PostRow } from '../../src/ledger/rows.ts'
import type { ClaimCommand } from '../../src/ledger/steps/claim.ts'
import type { PlanCommand } from '../../src/ledger/steps/plan.ts'
import type { PostSample } from '../../src/ledger/store.ts'

/** A Monday morning in UTC, outside quiet hours. */
export const beginning: Instant = Date.UTC(2026, 2, 2, 8)

export const tierOf = { comment: 'tier_1', edit: 'tier_2', thread: 'tier_3' } as const

/**
 * The standard policy with other guards. A reading counts for days, so that a process can let the
 * ledger's time pass without reading every post again.
 */
export function policyFor(name: string, guards: readonly GuardSettings[]): Policy {
  return {
    ...standardPolicy,
    name,
    guards: [...guards],
    evidence: { ...standardPolicy.evidence, windowMs: 8 * dayMs, maximumStalenessMs: null },
    detector: {
      detector: 'rate',
      multiplier: 20,
      minimumImpressions: 50,
      withoutImpressions: 'insufficient',
    },
  }
}

export function newAccount(name: string, platform: string, policy: Policy): AccountRow {
  return {
    id: toAccountId(name),
    platform,
    handle: `@${name}`,
    mode: 'auto',
    timeZone: 'UTC',
    policy: policyId(policy),
    holdoutShare: 0,
    credentials: 'sealed:credentials',
    status: 'active',
    statusReason: null,
    createdAt: beginning,
    discoverAt: null,
    profile: null,
  }
}

export function newPost(
  name: string,
  account: { readonly id: AccountId; readonly platform: string },
  now: Instant,
): PostRow {
  const id = toPostId(name)
  return {
    id,
    accountId: account.id,
    platform: account.platform,
    remoteId: `remote:${name}`,
    url: `https://network.example/${name}`,
    text: 'A post that nobody reads.',
    contentVersion: 'v1',
    publishedAt: now - 2 * hourMs,
    status: 'watched',
    neverTouch: false,
    arm: null,
    propensity: null,
    nextCheckAt: null,
    trackedAt: now,
    closedAt: null,
  }
}

/** Readings of the last half hour in which the post was shown and nobody cared. */
export function stalledSamples(post: PostRow, now: Instant): readonly PostSample[] {
  return [30, 15, 0].map((ageMinutes) => {
    const at = now - ageMinutes * minuteMs
    const impressions = Math.floor((at - post.publishedAt) / secondMs)
    return { postId: post.id, sample: { at, impressions, engagements: 5 } }
  })
}

/** Of the first generation. The text is the post's own, so that it shows where it came from. */
export function planOf(
  actionName: string,
  post: PostRow,
  policy: Policy,
  action: Action = 'comment',
): PlanCommand {
  const tier: Tier = tierOf[action]
  return {
    actionId: toActionId(actionName),
    postId: post.id,
    policy,
    capabilities: everythingSupported,
    planned: { action, tier, key: actionKey(post.id, action, tier), generation: 0, score: 0.9 },
    text: `What do you think of ${post.id}?`,
    expiresAfterMs: 7 * dayMs,
    noticeBeforeMs: hourMs,
    draw: { arm: 'act', propensity: 1 },
  }
}

export function claimOf(
  actionId: ActionId,
  token: string,
  policy: Policy,
  leaseMs: number,
): ClaimCommand {
  return {
    actionId,
    token,
    leaseMs,
    askAgainMs: 5 * minuteMs,
    policy,
    capabilities: everythingSupported,
  }
}
