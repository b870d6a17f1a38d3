/** Owns asking the core about one post, as the engine would, without storing what it says. */

import { everythingSupported } from '../core/capabilities.ts'
import { decide } from '../core/decide.ts'
import { standardPolicy } from '../core/policies/standard.ts'
import { parsePolicy, policyId } from '../core/policy.ts'
import type { Policy } from '../core/policy.ts'
import type { AccountBaseline } from '../core/signal.ts'
import type { Verdict } from '../core/verdict.ts'
import type { AccountRow, PostRow } from '../ledger/rows.ts'
import { LedgerError } from '../ledger/ledger-error.ts'
import type { Services } from './context.ts'
import { wrongField } from './problem.ts'

type DecidingParts = Pick<Services, 'ledger' | 'networks' | 'baselines'>

/** The policy of an account is always there: it cannot be saved without it. */
export async function policyOf(
  { ledger }: Pick<Services, 'ledger'>,
  account: AccountRow,
): Promise<Policy> {
  const policy = await ledger.getPolicy(account.policy)
  if (policy === null) throw new LedgerError('damaged', `Policy ${account.policy} is missing`)
  return policy
}

/** A stored policy by its name and version, or one that is handed in whole. */
export async function policyFrom(
  { ledger }: Pick<Services, 'ledger'>,
  given: string | Readonly<Record<string, unknown>>,
): Promise<Policy> {
  if (typeof given !== 'string') return parsePolicy(given)
  const policy = await ledger.getPolicy(given)
  if (policy === null) throw wrongField('policy', `${JSON.stringify(given)} is not stored`)
  return policy
}

export async function baselineFor(
  { baselines }: Pick<Services, 'baselines'>,
  account: AccountRow,
  { detector }: Policy,
): Promise<AccountBaseline | null> {
  return detector.detector === 'rate' ? null : baselines.of(account)
}

export interface Considered {
  readonly policy: Policy
  readonly verdict: Verdict
}

/** What would be decided now. Null where the post is gone meanwhile. */
export async function consider(
  parts: DecidingParts,
  account: AccountRow,
  post: PostRow,
): Promise<Considered | null> {
  const policy = await policyOf(parts, account)
  const capabilities = parts.networks.describe(account) ?? everythingSupported
  const baseline = await baselineFor(parts, account, policy)
  const input = await parts.ledger.decisionInput(post.id, policy, capabilities, baseline)
  return input === null ? null : { policy, verdict: decide(input) }
}

/** The policy that a new account gets where nobody says which: the newest standard one. */
export async function standardPolicyId({ ledger }: Pick<Services, 'ledger'>): Promise<string> {
  const versions = (await ledger.listPolicies())
    .filter(({ id }) => id.startsWith('standard@'))
    .map(({ id }) => Number(id.slice('standard@'.length)))
  if (versions.length > 0) return `standard@${Math.max(...versions)}`
  await ledger.savePolicy(standardPolicy)
  return policyId(standardPolicy)
}
