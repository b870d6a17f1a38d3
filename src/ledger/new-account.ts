/** Owns what a new account is like where nothing else is said: careful, and asking first. */

import type { AccountId } from '../core/ids.ts'
import type { Instant } from '../core/instant.ts'
import { smallestHoldout } from '../core/lift/arm.ts'
import { standardPolicy } from '../core/policies/standard.ts'
import { policyId } from '../core/policy.ts'
import type { AccountRow } from './rows.ts'

export type AccountWish = Pick<AccountRow, 'platform' | 'handle'> &
  Partial<Omit<AccountRow, 'id' | 'createdAt' | 'status' | 'statusReason'>>

/** An account that is watched from now on, by the standard policy unless another is named. */
export function newAccount(id: AccountId, now: Instant, wish: AccountWish): AccountRow {
  return {
    id,
    mode: 'approve',
    timeZone: 'UTC',
    policy: policyId(standardPolicy),
    holdoutShare: smallestHoldout,
    credentials: null,
    profile: null,
    status: 'active',
    statusReason: null,
    createdAt: now,
    discoverAt: now,
    ...wish,
  }
}
