/** Readings that are pushed: a tool that collects counters already needs no connector. */

import { toPostId } from '../../core/ids.ts'
import type { PostId } from '../../core/ids.ts'
import { nextCheckAt } from '../../engine/schedule.ts'
import type { AccountRow, PostRow } from '../../ledger/rows.ts'
import { maySee } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { consider } from '../deciding.ts'
import { externalPlatform } from '../networks.ts'
import { wrongField } from '../problem.ts'
import { pushBody, pushed } from '../schema/sample.ts'
import type { VerdictView } from '../schema/verdict.ts'
import { toSample } from '../views/sample.ts'
import { toFreshVerdictView } from '../views/verdict.ts'
import { answer, createRoutes, define, jsonBody } from './route.ts'

const push = define('write', {
  method: 'post',
  path: '/samples',
  tags: ['samples'],
  summary: 'Push readings of many posts',
  request: { body: jsonBody(pushBody) },
  responses: answer(pushed, 'How many were new, and what posts without a connector come to'),
})

/** A reading from further ahead comes from a wrong clock. */
const allowedAheadMs = 60_000

export function sampleRoutes(services: Services) {
  const { ledger } = services
  return createRoutes().openapi(push, async (context) => {
    const { samples } = context.req.valid('json')
    const batch = samples.map(({ postId, sample }, index) => ({
      postId: toPostId(postId, `samples[${index}].postId`),
      sample: toSample(sample),
    }))
    const now = await ledger.now()
    for (const [index, { sample }] of batch.entries()) {
      if (sample.at > now + allowedAheadMs) {
        throw wrongField(`samples[${index}].sample.at`, 'lies in the future')
      }
    }
    const posts = await readPosts(services, context, batch)
    const recorded = await ledger.recordSamples(batch)
    const verdicts: VerdictView[] = []
    const engines: PostId[] = []
    for (const { post, account } of posts) {
      if (post.platform !== externalPlatform) engines.push(post.id)
      else if (post.status === 'watched') verdicts.push(...(await lookAt(services, account, post)))
    }
    // What an engine watches is looked at by it, which also acts.
    if (engines.length > 0) await ledger.setNextCheckAt(engines, now)
    return context.json({ recorded, verdicts }, 200)
  })
}

/** All must be there and visible before any is stored: a batch counts as a whole. */
async function readPosts(
  { ledger }: Services,
  context: AppContext,
  batch: readonly { readonly postId: PostId }[],
): Promise<readonly { readonly post: PostRow; readonly account: AccountRow }[]> {
  const actor = actorOf(context)
  const found = new Map<PostId, { readonly post: PostRow; readonly account: AccountRow }>()
  for (const [index, { postId }] of batch.entries()) {
    if (found.has(postId)) continue
    const post = await ledger.getPost(postId)
    const account = post === null ? null : await ledger.getAccount(post.accountId)
    if (post === null || account === null || !maySee(actor, account.id)) {
      throw wrongField(`samples[${index}].postId`, 'is not a tracked post; POST /posts first')
    }
    found.set(postId, { post, account })
  }
  return [...found.values()]
}

/** Does for a post without a connector what the engine does for others, up to the verdict. */
async function lookAt(
  services: Services,
  account: AccountRow,
  post: PostRow,
): Promise<readonly VerdictView[]> {
  const { ledger } = services
  const considered = await consider(services, account, post)
  if (considered === null) return []
  const { verdict, policy } = considered
  await ledger.recordVerdict(post.id, { verdict, nextCheckAt: null })
  const next = nextCheckAt(post.publishedAt, await ledger.now(), policy)
  if (next === null) await ledger.closePost(post.id, 'closed')
  return [toFreshVerdictView(verdict)]
}
