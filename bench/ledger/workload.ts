/**
 * Owns what the measurements work on: posts with 20 readings each that stall, under the standard
 * policy. Only its quiet hours are left out, as a measurement may run at any hour.
 */

import { toActionId } from '../../src/core/ids.ts'
import type { ActionId } from '../../src/core/ids.ts'
import type { Instant } from '../../src/core/instant.ts'
import { dayMs, hourMs, minuteMs } from '../../src/core/duration.ts'
import { standardPolicy } from '../../src/core/policies/standard.ts'
import type { Policy } from '../../src/core/policy.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { AccountRow, PostRow } from '../../src/ledger/rows.ts'
import type { PostSample } from '../../src/ledger/store.ts'
import { newAccount, newPost, planOf } from '../../test/torture/ledger-rows.ts'

export const benchPolicy: Policy = {
  ...standardPolicy,
  name: 'bench',
  guards: standardPolicy.guards.filter(({ guard }) => guard !== 'quiet_hours'),
}

export const samplesPerPost = 20
/** Fewer than an account may begin in an hour. */
const postsPerAccount = 5
const batch = 500

export function accountOf(name: string): AccountRow {
  return newAccount(name, 'bluesky', benchPolicy)
}

/** The newest is from now; about one in a thousand who saw it cared. */
export function samplesOf(post: PostRow, now: Instant): readonly PostSample[] {
  return Array.from({ length: samplesPerPost }, (_, index) => {
    const at = now - (samplesPerPost - 1 - index) * 4 * minuteMs
    const likes = 3 + (index % 3)
    const interactions = { likes, replies: 1, reposts: 1 }
    const sample = { at, impressions: 500 + 100 * index, engagements: likes + 2, interactions }
    return { postId: post.id, sample }
  })
}

/** Posts that are ready to be decided on. */
export async function addPosts(
  ledger: Ledger,
  prefix: string,
  count: number,
): Promise<readonly PostRow[]> {
  await ledger.savePolicy(benchPolicy)
  const now = await ledger.now()
  const added: PostRow[] = []
  for (let from = 0; from < count; from += batch) {
    const posts: PostRow[] = []
    for (let number = from; number < Math.min(count, from + batch); number += 1) {
      const account = accountOf(`${prefix}-${Math.floor(number / postsPerAccount)}`)
      if (number % postsPerAccount === 0) await ledger.saveAccount(account)
      posts.push(newPost(`${prefix}-post-${number}`, account, now))
    }
    await ledger.trackPosts(posts)
    await ledger.recordSamples(posts.flatMap((post) => samplesOf(post, now)))
    added.push(...posts)
  }
  return added
}

/** Actions that are ready to be claimed, each on a post of its own. */
export async function addPlans(
  ledger: Ledger,
  prefix: string,
  count: number,
): Promise<readonly ActionId[]> {
  const posts = await addPosts(ledger, prefix, count)
  for (let from = 0; from < count; from += batch) {
    const some = posts.slice(from, from + batch)
    const plans = some.map((post) => {
      const plan = planOf(`${post.id}-action`, post, benchPolicy)
      return ledger.plan({ ...plan, text: textOf(post), expiresAfterMs: dayMs })
    })
    const failed = (await Promise.all(plans)).find(({ kind }) => kind !== 'planned')
    if (failed !== undefined) throw new Error(`Not planned: ${JSON.stringify(failed)}`)
  }
  return posts.map(({ id }) => toActionId(`${id}-action`))
}

function textOf({ id }: PostRow): string {
  return `What would you add to this? We read every answer, and the best go into ${id}.`
}

export const claimLeaseMs = hourMs
