/** Owns what is known when all is over: the whole ledger, the truth, and what people were told. */

import type { Network } from '../../sim/installation/network.ts'
import type { PostId } from '../../src/core/ids.ts'
import type { Policy } from '../../src/core/policy.ts'
import type { Sample } from '../../src/core/sample.ts'
import type { AccountRow, ApprovalRow, AuditReport, Ledger } from '../../src/ledger/index.ts'
import type { AckBook } from '../torture/acknowledgement.ts'
import { readContents } from '../torture/torture-audit.ts'
import type { Contents } from '../torture/torture-audit.ts'
import type { Owner } from './owner.ts'

export interface Facts extends Pick<Owner, 'pauses' | 'rejections'> {
  readonly accounts: readonly AccountRow[]
  readonly policies: ReadonlyMap<string, Policy>
  readonly contents: Contents & {
    readonly readings: ReadonlyMap<PostId, readonly Sample[]>
  }
  readonly approvals: readonly ApprovalRow[]
  /** What the owner was told of their approvals. */
  readonly approved: Owner['approvals']
  readonly networks: ReadonlyMap<string, Network>
  readonly book: AckBook
  readonly chain: AuditReport
  /** How many jobs there were, by kind. */
  readonly jobs: ReadonlyMap<string, number>
  /** What has not come to rest. */
  readonly unrest: readonly string[]
  /** What the workers tripped over. */
  readonly problems: readonly string[]
}

export async function readLedger(
  ledger: Ledger,
): Promise<Pick<Facts, 'accounts' | 'policies' | 'contents' | 'approvals' | 'chain'>> {
  const accounts = await ledger.listAccounts()
  const policies = new Map<string, Policy>()
  for (const { policy: id } of accounts) {
    const policy = await ledger.getPolicy(id)
    if (policy !== null) policies.set(id, policy)
  }
  const contents = await readContents(ledger)
  const readings = new Map<PostId, readonly Sample[]>()
  for (const { id } of contents.posts) readings.set(id, await ledger.listSamples(id))
  const approvals: ApprovalRow[] = []
  for (const { id } of contents.actions) approvals.push(...(await ledger.listApprovals(id)))
  while ((await ledger.seal(1000)) > 0);
  const chain = await ledger.verifyAudit()
  return { accounts, policies, contents: { ...contents, readings }, approvals, chain }
}
