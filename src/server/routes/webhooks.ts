/** Webhooks: set up, try, and see what was delivered. */

import { toAccountId } from '../../core/ids.ts'
import { requireUnlimited } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { notFound, wrongField } from '../problem.ts'
import { deliveryParam, idParam } from '../schema/params.ts'
import {
  deliveryPage,
  deliveryQuery,
  deliveryView,
  newWebhookBody,
  newWebhookView,
  webhookChange,
  webhookList,
  webhookView,
} from '../schema/webhook.ts'
import type { DeliveryView, WebhookView } from '../schema/webhook.ts'
import type { Delivery } from '../webhooks/deliveries.ts'
import type { Hook } from '../webhooks/hooks.ts'
import { iso, isoOrNull } from '../views/time.ts'
import { withoutUndefined } from './accounts.ts'
import { answer, created, createRoutes, define, done, jsonBody } from './route.ts'

const tags = ['webhooks']

const list = define('admin', {
  method: 'get',
  path: '/webhooks',
  tags,
  summary: 'Webhooks',
  responses: answer(webhookList, 'All webhooks'),
})

const add = define('admin', {
  method: 'post',
  path: '/webhooks',
  tags,
  summary: 'Set up a webhook',
  request: { body: jsonBody(newWebhookBody) },
  responses: created(newWebhookView, 'The webhook; its secret is not shown again'),
})

const get = define('admin', {
  method: 'get',
  path: '/webhooks/{id}',
  tags,
  summary: 'A webhook',
  request: { params: idParam },
  responses: answer(webhookView, 'The webhook'),
})

const change = define('admin', {
  method: 'patch',
  path: '/webhooks/{id}',
  tags,
  summary: 'Change a webhook, or switch it on and off',
  request: { params: idParam, body: jsonBody(webhookChange) },
  responses: answer(webhookView, 'The webhook as it is now'),
})

const remove = define('admin', {
  method: 'delete',
  path: '/webhooks/{id}',
  tags,
  summary: 'Remove a webhook and its log',
  request: { params: idParam },
  responses: done('Removed'),
})

const test = define('admin', {
  method: 'post',
  path: '/webhooks/{id}/test',
  tags,
  summary: 'Send a test now',
  request: { params: idParam },
  responses: answer(deliveryView, 'What came of it'),
})

const log = define('admin', {
  method: 'get',
  path: '/webhooks/{id}/deliveries',
  tags,
  summary: 'What was delivered, newest first',
  request: { params: idParam, query: deliveryQuery },
  responses: answer(deliveryPage, 'A page of deliveries'),
})

const redeliver = define('admin', {
  method: 'post',
  path: '/webhooks/{id}/deliveries/{deliveryId}/redeliver',
  tags,
  summary: 'Deliver once more, under the same id',
  request: { params: deliveryParam },
  responses: answer(deliveryView, 'The delivery, due now'),
})

export function webhookRoutes(services: Services) {
  const { webhooks } = services
  return createRoutes()
    .openapi(list, async (context) => {
      requireUnlimited(actorOf(context))
      return context.json({ items: (await webhooks.hooks.list()).map(toWebhookView) }, 200)
    })
    .openapi(add, async (context) => {
      requireUnlimited(actorOf(context))
      const wish = context.req.valid('json')
      await requireAccounts(services, wish.accountIds)
      const { hook, secret } = await webhooks.hooks.add(wish)
      context.set('isSecretAnswer', true)
      return context.json({ ...toWebhookView(hook), secret: secret.reveal() }, 201)
    })
    .openapi(get, async (context) => {
      return context.json(toWebhookView(await findHook(services, context)), 200)
    })
    .openapi(change, async (context) => {
      const { id } = await findHook(services, context)
      const body = context.req.valid('json')
      await requireAccounts(services, body.accountIds ?? null)
      const hook = await webhooks.hooks.change(id, withoutUndefined(body))
      if (hook === null) throw notFound('webhook')
      return context.json(toWebhookView(hook), 200)
    })
    .openapi(remove, async (context) => {
      const { id } = await findHook(services, context)
      await webhooks.hooks.remove(id)
      await webhooks.deliveries.forget(id)
      return context.body(null, 204)
    })
    .openapi(test, async (context) => {
      const hook = await findHook(services, context)
      return context.json(toDeliveryView(await webhooks.test(hook)), 200)
    })
    .openapi(log, async (context) => {
      const { id } = await findHook(services, context)
      const { cursor, limit } = context.req.valid('query')
      const page = await webhooks.deliveries.page(id, { after: cursor ?? null, limit })
      return context.json({ items: page.items.map(toDeliveryView), next: page.next }, 200)
    })
    .openapi(redeliver, async (context) => {
      const { id } = await findHook(services, context)
      const delivery = await webhooks.deliveries.get(id, context.req.valid('param').deliveryId)
      if (delivery === null) throw notFound('delivery')
      return context.json(toDeliveryView(await webhooks.redeliver(delivery)), 200)
    })
}

async function findHook({ webhooks }: Services, context: AppContext): Promise<Hook> {
  requireUnlimited(actorOf(context))
  const hook = await webhooks.hooks.get(context.req.param('id') ?? '')
  if (hook === null) throw notFound('webhook')
  return hook
}

async function requireAccounts({ ledger }: Services, ids: readonly string[] | null) {
  for (const [index, id] of (ids ?? []).entries()) {
    if ((await ledger.getAccount(toAccountId(id))) === null) {
      throw wrongField(`accountIds[${index}]`, 'is not the id of an account')
    }
  }
}

function toWebhookView(hook: Hook): WebhookView {
  const { id, url, types, accountIds, active, failures } = hook
  return {
    id,
    url,
    types,
    accountIds,
    active,
    createdAt: iso(hook.createdAt),
    failures,
    lastDeliveredAt: isoOrNull(hook.lastDeliveredAt),
  }
}

function toDeliveryView(delivery: Delivery): DeliveryView {
  const { id, hookId, type, seq, state, attempts, status, detail } = delivery
  return {
    id,
    webhookId: hookId,
    type,
    seq,
    state,
    attempts,
    createdAt: iso(delivery.createdAt),
    nextAttemptAt: isoOrNull(delivery.nextAttemptAt),
    status,
    detail,
  }
}
