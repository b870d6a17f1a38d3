/** Posts: list, track, everything about one, the owner's word, and a look on demand. */

import { toAccountId, toPostId } from '../../core/ids.ts'
import type { PostId } from '../../core/ids.ts'
import type { AccountRow, PostRow } from '../../ledger/rows.ts'
import { accountFilter, requireVisible } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { consider } from '../deciding.ts'
import { externalPlatform } from '../networks.ts'
import { backPage } from '../paging.ts'
import { conflict, notFound, wrongField } from '../problem.ts'
import { idParam } from '../schema/params.ts'
import {
  evaluationView,
  neverTouchBody,
  newPostBody,
  postDetail,
  postPage,
  postQuery,
  postView,
} from '../schema/post.ts'
import { sampleList } from '../schema/sample.ts'
import { toPostSummary, toPostView } from '../views/post.ts'
import { toFreshVerdictView } from '../views/verdict.ts'
import { toSampleView } from '../views/sample.ts'
import { readPostDetail } from '../views/post-detail.ts'
import { answer, createRoutes, define, jsonBody } from './route.ts'

const tags = ['posts']

const list = define('read', {
  method: 'get',
  path: '/posts',
  tags,
  summary: 'Posts, newest first',
  request: { query: postQuery },
  responses: answer(postPage, 'A page of posts'),
})

const track = define('write', {
  method: 'post',
  path: '/posts',
  tags,
  summary: 'Track a post',
  request: { body: jsonBody(newPostBody) },
  responses: answer(postView, 'The post as it is tracked; the same again where it was already'),
})

const get = define('read', {
  method: 'get',
  path: '/posts/{id}',
  tags,
  summary: 'Everything about a post',
  request: { params: idParam },
  responses: answer(postDetail, 'The post'),
})

const samples = define('read', {
  method: 'get',
  path: '/posts/{id}/samples',
  tags,
  summary: 'Every reading of a post',
  request: { params: idParam },
  responses: answer(sampleList, 'Its readings, the oldest first'),
})

const neverTouch = define('write', {
  method: 'put',
  path: '/posts/{id}/never-touch',
  tags,
  summary: 'Never touch a post, or take that back',
  request: { params: idParam, body: jsonBody(neverTouchBody) },
  responses: answer(postView, 'The post'),
})

const evaluate = define('read', {
  method: 'post',
  path: '/posts/{id}/evaluate',
  tags,
  summary: 'What would be decided now; nothing is stored',
  request: { params: idParam },
  responses: answer(evaluationView, 'The verdict'),
})

const check = define('write', {
  method: 'post',
  path: '/posts/{id}/check',
  tags,
  summary: 'Let the engine look at the post now',
  request: { params: idParam },
  responses: answer(postView, 'The post, with its next check at hand'),
})

export function postRoutes(services: Services) {
  const { ledger } = services
  return createRoutes()
    .openapi(list, async (context) => {
      const {
        accountId,
        platform,
        status,
        verdict,
        neverTouch: touch,
        text,
        ...page
      } = context.req.valid('query')
      const filter = {
        ...accountFilter(actorOf(context), accountId),
        ...(platform === undefined ? {} : { platform }),
        ...(status === undefined ? {} : { status }),
        ...(verdict === undefined ? {} : { latest: verdict }),
        ...(touch === undefined ? {} : { neverTouch: touch }),
        ...(text === undefined ? {} : { text }),
      }
      const found = await ledger.pagePosts(filter, backPage(page))
      return context.json({ items: found.items.map(toPostSummary), next: found.next }, 200)
    })
    .openapi(track, async (context) => {
      const post = await trackPost(services, context, context.req.valid('json'))
      return context.json(toPostView(post), 200)
    })
    .openapi(get, async (context) => {
      const { post, account } = await findPost(services, context)
      return context.json(await readPostDetail(services, account, post), 200)
    })
    .openapi(samples, async (context) => {
      const { post } = await findPost(services, context)
      const rows = await ledger.listSamples(post.id)
      return context.json({ items: rows.map(toSampleView) }, 200)
    })
    .openapi(neverTouch, async (context) => {
      const { post } = await findPost(services, context)
      const changed = await ledger.setNeverTouch(post.id, context.req.valid('json').on)
      if (changed === null) throw notFound('post')
      return context.json(toPostView(changed), 200)
    })
    .openapi(evaluate, async (context) => {
      const { post, account } = await findPost(services, context)
      const considered = await consider(services, account, post)
      if (considered === null) throw notFound('post')
      const { verdict } = considered
      const action = verdict.kind === 'plan' ? verdict.action : null
      const { key } = verdict.trace
      return context.json({ verdict: toFreshVerdictView(verdict), action, key }, 200)
    })
    .openapi(check, async (context) => {
      const { post } = await findPost(services, context)
      return context.json(toPostView(await checkNow(services, post)), 200)
    })
}

/** The post of the path, where the asker may see it. */
export async function findPost(
  { ledger }: Pick<Services, 'ledger'>,
  context: AppContext,
): Promise<{ readonly post: PostRow; readonly account: AccountRow }> {
  const post = await ledger.getPost(toPostId(context.req.param('id'), 'id'))
  if (post === null) throw notFound('post')
  requireVisible(actorOf(context), post.accountId, 'post')
  const account = await ledger.getAccount(post.accountId)
  if (account === null) throw notFound('post')
  return { post, account }
}

/** Brings the next look ahead. What is pushed from outside has none. */
export async function checkNow(
  { ledger }: Pick<Services, 'ledger'>,
  post: PostRow,
): Promise<PostRow> {
  if (post.status !== 'watched') throw conflict(`The post is ${post.status} and not watched`)
  if (post.platform === externalPlatform) {
    throw conflict('Its counters are pushed: it is looked at whenever some arrive')
  }
  await ledger.setNextCheckAt([post.id], await ledger.now())
  return (await ledger.getPost(post.id)) ?? post
}

type NewPost = ReturnType<typeof newPostBody.parse>

async function trackPost(
  { ledger, random }: Services,
  context: AppContext,
  body: NewPost,
): Promise<PostRow> {
  const accountId = toAccountId(body.accountId)
  requireVisible(actorOf(context), accountId, 'account')
  const account = await ledger.getAccount(accountId)
  if (account === null || account.status === 'erased') throw notFound('account')
  const now = await ledger.now()
  if (body.publishedAt > now) throw wrongField('publishedAt', 'lies in the future')
  const isPushed = account.platform === externalPlatform
  const [stored] = await ledger.trackPosts([
    {
      id: toPostId(random.id()) satisfies PostId,
      accountId,
      platform: account.platform,
      remoteId: body.remoteId,
      url: body.url,
      text: body.text,
      contentVersion: null,
      publishedAt: body.publishedAt,
      status: 'watched',
      neverTouch: false,
      arm: null,
      propensity: null,
      nextCheckAt: isPushed ? null : now,
      trackedAt: now,
      closedAt: null,
    },
  ])
  if (stored === undefined) throw notFound('account')
  return stored
}
