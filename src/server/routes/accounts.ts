/** Accounts: list, look, change, test, erase. How one is added is in sign-ins.ts. */

import { toAccountId } from '../../core/ids.ts'
import { withDeadline } from '../../engine/deadline.ts'
import type { AccountRow } from '../../ledger/rows.ts'
import { maySee, requireVisible } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { AppContext, Services } from '../context.ts'
import { forgetKeptAnswers } from '../idempotency.ts'
import { externalPlatform } from '../networks.ts'
import { conflict, notFound, wrongField } from '../problem.ts'
import { accountChange, accountDetail, accountList, accountTest } from '../schema/account.ts'
import type { AccountDetail, AccountTest } from '../schema/account.ts'
import { idParam } from '../schema/params.ts'
import { platformList } from '../schema/platform.ts'
import { toAccountDetail, toAccountView } from '../views/account.ts'
import { answer, createRoutes, define, done, jsonBody } from './route.ts'

const tags = ['accounts']

const platforms = define('read', {
  method: 'get',
  path: '/platforms',
  tags: ['platforms'],
  summary: 'Networks, and the ways to sign in to each',
  responses: answer(platformList, 'All that are on offer'),
})

const list = define('read', {
  method: 'get',
  path: '/accounts',
  tags,
  summary: 'Accounts',
  responses: answer(accountList, 'All accounts'),
})

const get = define('read', {
  method: 'get',
  path: '/accounts/{id}',
  tags,
  summary: 'An account with what it can do',
  request: { params: idParam },
  responses: answer(accountDetail, 'The account'),
})

const change = define('write', {
  method: 'patch',
  path: '/accounts/{id}',
  tags,
  summary: 'Change mode, policy, time zone or holdout share',
  request: { params: idParam, body: jsonBody(accountChange) },
  responses: answer(accountDetail, 'The account as it is now'),
})

const test = define('write', {
  method: 'post',
  path: '/accounts/{id}/test',
  tags,
  summary: 'Read who it is; writes nothing on the network',
  request: { params: idParam },
  responses: answer(accountTest, 'What came of it'),
})

const erase = define('admin', {
  method: 'delete',
  path: '/accounts/{id}',
  tags,
  summary: 'Erase: secrets and texts go, keys and hashes stay',
  request: { params: idParam },
  responses: done('Erased'),
})

export function accountRoutes(services: Services) {
  const { ledger, networks } = services
  return createRoutes()
    .openapi(platforms, (context) => {
      const items = networks.connectors.map(({ name, title, signIns, trial }) => ({
        name,
        title,
        trial: trial === undefined ? null : { question: trial.question, steps: trial.steps },
        signIns: signIns.map((signIn) => ({
          kind: signIn.kind,
          name: signIn.name,
          title: signIn.title,
          fields: signIn.fields.map((field) => ({ ...field })),
        })),
      }))
      return context.json({ items }, 200)
    })
    .openapi(list, async (context) => {
      const actor = actorOf(context)
      const rows = (await ledger.listAccounts()).filter(({ id }) => maySee(actor, id))
      const items = rows.map((row) => toAccountView(row, networks.titleOf(row.platform)))
      return context.json({ items }, 200)
    })
    .openapi(get, async (context) => {
      const account = await findAccount(services, context)
      return context.json(tellAccount(services, account), 200)
    })
    .openapi(change, async (context) => {
      const account = await findAccount(services, context)
      const changed = context.req.valid('json')
      requireAllowed(account, changed.mode)
      if (changed.policy !== undefined) await requirePolicy(services, changed.policy)
      const row = await ledger.updateAccount(account.id, withoutUndefined(changed))
      if (row === null) throw notErasable(account)
      return context.json(tellAccount(services, row), 200)
    })
    .openapi(test, async (context) => {
      const account = await findAccount(services, context)
      return context.json(await testAccount(services, account), 200)
    })
    .openapi(erase, async (context) => {
      const account = await findAccount(services, context)
      await ledger.eraseAccount(account.id)
      await forgetKeptAnswers(ledger)
      return context.body(null, 204)
    })
}

export async function findAccount(
  { ledger }: Pick<Services, 'ledger'>,
  context: AppContext,
): Promise<AccountRow> {
  const id = toAccountId(context.req.param('id'), 'id')
  requireVisible(actorOf(context), id, 'account')
  const account = await ledger.getAccount(id)
  if (account === null) throw notFound('account')
  return account
}

export function tellAccount({ networks }: Services, row: AccountRow): AccountDetail {
  const description = row.status === 'erased' ? null : networks.describe(row)
  return toAccountDetail(row, networks.titleOf(row.platform), description)
}

/** Nobody can send for an account that has no connector. */
function requireAllowed({ platform }: AccountRow, mode: string | undefined): void {
  if (platform === externalPlatform && mode !== undefined && mode !== 'watch') {
    throw wrongField('mode', 'must stay watch: without a connector nothing can be sent')
  }
}

export async function requirePolicy({ ledger }: Services, id: string): Promise<void> {
  if ((await ledger.getPolicy(id)) !== null) return
  throw wrongField('policy', `${id} is not stored; see /api/v1/policies`)
}

function notErasable({ status }: AccountRow) {
  return status === 'erased' ? conflict('The account was erased') : notFound('account')
}

/** What is left out stays; what is undefined counts as left out. */
export function withoutUndefined<Value extends object>(value: Value) {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as {
    [Field in keyof Value]: Exclude<Value[Field], undefined>
  }
}

/** Only reads, so it can be asked for at any time. What it finds is kept. */
async function testAccount(services: Services, account: AccountRow): Promise<AccountTest> {
  const { ledger, networks, clock, settings } = services
  const platform = networks.platformOf(account)
  if (account.status === 'erased') throw conflict('The account was erased')
  if (platform === null) throw conflict('The account has no connector, so there is nothing to test')
  try {
    const connection = networks.connect(account)
    const { handle, profile } = await withDeadline(clock, settings.networkMs, (signal) =>
      platform.probe({ connection, signal }),
    )
    await ledger.setProfile(account.id, handle, profile)
    return { kind: 'ok', handle, profile }
  } catch (error) {
    const { code, detail } = platform.classify(error, 'read', clock.now())
    return { kind: 'failed', code, detail }
  }
}
