/** Owns gathering everything that the screen of one post shows. */

import { expectedBand } from '../../core/age-rank/band.ts'
import type { BandPoint } from '../../core/age-rank/band.ts'
import type { Policy } from '../../core/policy.ts'
import type { AccountRow, PostRow, VerdictRow } from '../../ledger/rows.ts'
import type { Services } from '../context.ts'
import type { PostDetail } from '../schema/post.ts'
import { toActionView } from './action.ts'
import { surroundingsOf } from './action-detail.ts'
import { toMeasurementView, toPostView } from './post.ts'
import { toSampleView } from './sample.ts'
import { toNextPossible, toVerdictView } from './verdict.ts'

/** More than a post gets in its life under the recommended policy. */
const mostVerdicts = 300
const mostActions = 200

export async function readPostDetail(
  services: Services,
  account: AccountRow,
  post: PostRow,
): Promise<PostDetail> {
  const { ledger } = services
  const [samples, verdicts, actions, measurements, band] = await Promise.all([
    ledger.listSamples(post.id),
    ledger.listVerdicts(post.id, mostVerdicts),
    ledger.pageActions({ postId: post.id }, { before: null, limit: mostActions }),
    ledger.listMeasurements(post.id),
    bandOf(services, account),
  ])
  const policies = await readPolicies(services, verdicts)
  return {
    ...toPostView(post),
    handle: account.handle,
    policy: account.policy,
    samples: samples.map(toSampleView),
    band: [...band],
    verdicts: verdicts.map((row) => toVerdictView(row, policies.get(row.policy) ?? null)),
    actions: actions.items
      .toReversed()
      .map((row) => toActionView(row, surroundingsOf(services, account, row))),
    measurements: measurements.map(toMeasurementView),
    nextPossible: post.status === 'watched' ? toNextPossible(verdicts[0]) : null,
  }
}

/** How the account's past posts stood at each age; empty where none are known. */
export async function bandOf(
  { baselines }: Pick<Services, 'baselines'>,
  account: AccountRow,
): Promise<readonly BandPoint[]> {
  const { baseline } = await baselines.of(account)
  return expectedBand(baseline)
}

/** A post sees few policies in its life, however many verdicts it gets. */
async function readPolicies(
  { ledger }: Services,
  verdicts: readonly VerdictRow[],
): Promise<ReadonlyMap<string, Policy | null>> {
  const ids = [...new Set(verdicts.map(({ policy }) => policy))]
  const policies = await Promise.all(ids.map((id) => ledger.getPolicy(id)))
  return new Map(ids.map((id, index) => [id, policies[index] ?? null]))
}
