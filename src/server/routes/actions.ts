/** Actions: what is planned, what happened, and what a person decides about it. */

import { toActionId, toPostId } from '../../core/ids.ts'
import type { ActionRow } from '../../ledger/rows.ts'
import type { Decision } from '../../ledger/steps/approval.ts'
import { accountFilter, requireVisible } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { requireFits } from '../networks.ts'
import { backPage } from '../paging.ts'
import { conflict, notFound } from '../problem.ts'
import {
  actionDetail,
  actionPage,
  actionQuery,
  actionSummary,
  approveBody,
  attendBody,
  reasonBody,
  retried,
  reviseBody,
  snoozeBody,
} from '../schema/action.ts'
import { idParam } from '../schema/params.ts'
import { readActionDetail, readActionSummaries, readActionSummary } from '../views/action-detail.ts'
import { iso } from '../views/time.ts'
import { checkNow } from './posts.ts'
import { answer, createRoutes, define, jsonBody } from './route.ts'

const tags = ['actions']

const list = define('read', {
  method: 'get',
  path: '/actions',
  tags,
  summary: 'Actions, newest first',
  request: { query: actionQuery },
  responses: answer(actionPage, 'A page of actions'),
})

const get = define('read', {
  method: 'get',
  path: '/actions/{id}',
  tags,
  summary: 'What exactly happened',
  request: { params: idParam },
  responses: answer(actionDetail, 'The action'),
})

const decided = answer(actionSummary, 'The action as it is now')

const approve = define('approve', {
  method: 'post',
  path: '/actions/{id}/approve',
  tags,
  summary: 'Approve the text that was shown',
  request: { params: idParam, body: jsonBody(approveBody) },
  responses: decided,
})

const reject = define('approve', {
  method: 'post',
  path: '/actions/{id}/reject',
  tags,
  summary: 'Reject',
  request: { params: idParam, body: jsonBody(reasonBody) },
  responses: decided,
})

const revise = define('approve', {
  method: 'post',
  path: '/actions/{id}/revise',
  tags,
  summary: 'Change the text, still to be approved',
  request: { params: idParam, body: jsonBody(reviseBody) },
  responses: decided,
})

const snooze = define('approve', {
  method: 'post',
  path: '/actions/{id}/snooze',
  tags,
  summary: 'Ask again later',
  request: { params: idParam, body: jsonBody(snoozeBody) },
  responses: decided,
})

const cancel = define('approve', {
  method: 'post',
  path: '/actions/{id}/cancel',
  tags,
  summary: 'Cancel, as long as nothing of it is out',
  request: { params: idParam, body: jsonBody(reasonBody) },
  responses: decided,
})

const attend = define('approve', {
  method: 'post',
  path: '/actions/{id}/attend',
  tags,
  summary: 'Say what became of an action that needs attention',
  request: { params: idParam, body: jsonBody(attendBody) },
  responses: decided,
})

const undo = define('write', {
  method: 'post',
  path: '/actions/{id}/undo',
  tags,
  summary: 'Plan to take it back, as an action of its own',
  request: { params: idParam },
  responses: answer(actionSummary, 'The action that takes it back'),
})

const retry = define('write', {
  method: 'post',
  path: '/actions/{id}/retry',
  tags,
  summary: 'After a failure: look at the post anew',
  request: { params: idParam },
  responses: answer(retried, 'When the post is looked at'),
})

export function actionRoutes(services: Services) {
  const { ledger } = services
  return createRoutes()
    .openapi(list, async (context) => {
      const { accountId, postId, state, action, platform, ...page } = context.req.valid('query')
      const filter = {
        ...accountFilter(actorOf(context), accountId),
        ...(postId === undefined ? {} : { postId: toPostId(postId) }),
        ...(state === undefined ? {} : { states: state }),
        ...(action === undefined ? {} : { action }),
        ...(platform === undefined ? {} : { platform }),
      }
      const found = await ledger.pageActions(filter, backPage(page))
      const items = await readActionSummaries(services, found.items)
      return context.json({ items, next: found.next }, 200)
    })
    .openapi(get, async (context) => {
      const action = await findAction(services, context)
      return context.json(await readActionDetail(services, action), 200)
    })
    .openapi(undo, async (context) => {
      const action = await findAction(services, context)
      return context.json(await planUndo(services, action), 200)
    })
    .openapi(retry, async (context) => {
      const action = await findAction(services, context)
      return context.json(await lookAnew(services, action), 200)
    })
}

export function decisionRoutes(services: Services) {
  const { settings } = services
  return createRoutes()
    .openapi(approve, async (context) => {
      const { textHash, text } = context.req.valid('json')
      const decision: Decision = {
        kind: 'approve',
        textHash,
        graceMs: settings.approvalGraceMs,
        expiresAfterMs: settings.approvalLastsMs,
        ...(text === undefined ? {} : { text }),
      }
      return context.json(await decide(services, context, decision), 200)
    })
    .openapi(reject, async (context) => {
      const { reason } = context.req.valid('json')
      return context.json(await decide(services, context, { kind: 'reject', reason }), 200)
    })
    .openapi(revise, async (context) => {
      const decision: Decision = { kind: 'revise', ...context.req.valid('json') }
      return context.json(await decide(services, context, decision), 200)
    })
    .openapi(snooze, async (context) => {
      const { forMs } = context.req.valid('json')
      return context.json(await decide(services, context, { kind: 'snooze', untilMs: forMs }), 200)
    })
    .openapi(cancel, async (context) => {
      const { reason } = context.req.valid('json')
      return context.json(await decide(services, context, { kind: 'cancel', reason }), 200)
    })
    .openapi(attend, async (context) => {
      const { landed, url } = context.req.valid('json')
      const outcome = { remoteIds: [], url, partial: false }
      const decision: Decision = { kind: 'attend', landed, outcome: landed ? outcome : null }
      return context.json(await decide(services, context, decision), 200)
    })
}

/** The action of the path, where the asker may see it. */
async function findAction({ ledger }: Services, context: AppContext): Promise<ActionRow> {
  const action = await ledger.getAction(toActionId(context.req.param('id'), 'id'))
  if (action === null) throw notFound('action')
  requireVisible(actorOf(context), action.accountId, 'action')
  return action
}

async function decide(services: Services, context: AppContext, decision: Decision) {
  const { ledger, networks } = services
  const action = await findAction(services, context)
  if ('text' in decision && decision.text !== undefined) {
    const account = await ledger.getAccount(action.accountId)
    requireFits(action, decision.text, account === null ? null : networks.describe(account))
  }
  const { name } = actorOf(context)
  const result = await ledger.decide({ actionId: action.id, by: name, decision })
  switch (result.kind) {
    case 'done':
      return readActionSummary(services, result.action)
    case 'text_changed':
      throw conflict('The text is another one by now; look at it and decide again')
    case 'wrong_state':
      throw conflict(`It is too late or too early for that: the action is ${result.state}`)
  }
}

async function planUndo(services: Services, action: ActionRow) {
  const { ledger, networks, random } = services
  const account = await ledger.getAccount(action.accountId)
  const description = account === null ? null : networks.describe(account)
  if (description?.canUndo[action.action] !== true) {
    throw conflict(`The network cannot take back a ${action.action}`)
  }
  const result = await ledger.planUndo({
    actionId: toActionId(random.id()),
    postId: action.postId,
    undoes: action.id,
  })
  if (result.kind === 'refused') throw conflict(`Not possible: ${result.reason}`)
  return readActionSummary(services, result.action)
}

/** An ended row never changes (I7): what may follow is another one, and the guards decide. */
async function lookAnew(services: Services, action: ActionRow) {
  if (!['failed', 'expired', 'cancelled'].includes(action.state)) {
    throw conflict(`The action is ${action.state}; only what failed or ran out can be tried anew`)
  }
  const post = await services.ledger.getPost(action.postId)
  if (post === null) throw notFound('post')
  const checked = await checkNow(services, post)
  return {
    postId: post.id,
    nextCheckAt: iso(checked.nextCheckAt ?? (await services.ledger.now())),
    sentence: 'The post is looked at now; if it still stalls and all guards pass, it is acted on.',
  }
}
