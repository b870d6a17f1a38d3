/** Policies: what will it do? Versions are added and never changed. */

import { InputError } from '../../core/input-error.ts'
import { parsePolicy, policyId } from '../../core/policy.ts'
import type { Policy } from '../../core/policy.ts'
import { maySee, requireUnlimited } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { dryRun } from '../dry-run.ts'
import { notFound } from '../problem.ts'
import { idParam } from '../schema/params.ts'
import {
  dryRunBody,
  dryRunView,
  policyBody,
  policyCheck,
  policyDetail,
  policyList,
} from '../schema/policy.ts'
import type { PolicyCheck, PolicyDetail, PolicyView } from '../schema/policy.ts'
import { answer, createRoutes, define, jsonBody } from './route.ts'

const tags = ['policies']

const list = define('read', {
  method: 'get',
  path: '/policies',
  tags,
  summary: 'Policies by name and version',
  responses: answer(policyList, 'All versions'),
})

const get = define('read', {
  method: 'get',
  path: '/policies/{id}',
  tags,
  summary: 'A version of a policy',
  request: { params: idParam },
  responses: answer(policyDetail, 'The policy'),
})

const save = define('admin', {
  method: 'post',
  path: '/policies',
  tags,
  summary: 'Store a new version',
  request: { body: jsonBody(policyBody) },
  responses: answer(policyDetail, 'The policy as it is stored'),
})

const validate = define('read', {
  method: 'post',
  path: '/policies/validate',
  tags,
  summary: 'Is it a policy? Names the field where it is not',
  request: { body: jsonBody(policyBody) },
  responses: answer(policyCheck, 'Valid, or which field is wrong and why'),
})

const replay = define('read', {
  method: 'post',
  path: '/policies/dry-run',
  tags,
  summary: 'What it would have done over the last days',
  request: { body: jsonBody(dryRunBody) },
  responses: answer(dryRunView, 'What would have been done, and how right that was'),
})

export function policyRoutes(services: Services) {
  const { ledger } = services
  return createRoutes()
    .openapi(list, async (context) => {
      const users = await readUsers(services, context)
      const ids = (await ledger.listPolicies()).map(({ id }) => id)
      return context.json({ items: ids.map((id) => toView(id, users)).toSorted(inOrder) }, 200)
    })
    .openapi(get, async (context) => {
      const policy = await ledger.getPolicy(context.req.valid('param').id)
      if (policy === null) throw notFound('policy')
      return context.json(await tell(services, context, policy), 200)
    })
    .openapi(save, async (context) => {
      requireUnlimited(actorOf(context))
      const policy = parsePolicy(context.req.valid('json').policy)
      await ledger.savePolicy(policy)
      return context.json(await tell(services, context, policy), 200)
    })
    .openapi(validate, (context) => context.json(check(context.req.valid('json').policy), 200))
    .openapi(replay, async (context) => {
      const body = context.req.valid('json')
      return context.json(await dryRun(services, actorOf(context), body), 200)
    })
}

function check(value: unknown): PolicyCheck {
  try {
    return { kind: 'valid', id: policyId(parsePolicy(value)) }
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    const { field, message } = error
    return { kind: 'invalid', field, problem: message.slice(field.length + 2) }
  }
}

/** Which accounts have each policy in force, as far as the asker may see them. */
async function readUsers({ ledger }: Services, context: AppContext) {
  const actor = actorOf(context)
  const accounts = (await ledger.listAccounts()).filter(
    ({ id, status }) => status !== 'erased' && maySee(actor, id),
  )
  return Map.groupBy(accounts, ({ policy }) => policy)
}

type Users = Awaited<ReturnType<typeof readUsers>>

function toView(id: string, users: Users): PolicyView {
  const at = id.lastIndexOf('@')
  const accountIds = (users.get(id) ?? []).map((account) => account.id)
  return { id, name: id.slice(0, at), version: Number(id.slice(at + 1)), accountIds }
}

function inOrder(a: PolicyView, b: PolicyView): number {
  return a.name === b.name ? b.version - a.version : a.name < b.name ? -1 : 1
}

async function tell(
  services: Services,
  context: AppContext,
  policy: Policy,
): Promise<PolicyDetail> {
  return { ...toView(policyId(policy), await readUsers(services, context)), policy }
}
