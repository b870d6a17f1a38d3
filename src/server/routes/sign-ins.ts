/**
 * Adding accounts and signing them in again: with what is entered, or through a visit to the
 * network's own page. What the network gives is sealed before it is stored.
 */

import { z } from 'zod'
import { secondMs } from '../../core/duration.ts'
import { toAccountId } from '../../core/ids.ts'
import { InputError } from '../../core/input-error.ts'
import { Secret } from '../../core/secret.ts'
import { withDeadline } from '../../engine/deadline.ts'
import { newAccount } from '../../ledger/new-account.ts'
import type { AccountRow, Mode } from '../../ledger/rows.ts'
import type { Connector, SignedIn } from '../../platform/connector.ts'
import { requireUnlimited } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import { hashSecret } from '../auth/secrets.ts'
import { callbackAt } from '../client-documents.ts'
import type { AppContext, Services } from '../context.ts'
import { standardPolicyId } from '../deciding.ts'
import { completeValues, externalPlatform } from '../networks.ts'
import { conflict, notFound, Problem, wrongField } from '../problem.ts'
import {
  accountDetail,
  beginSignInBody,
  begunSignIn,
  finishSignInBody,
  newAccountBody,
  reconnectBody,
} from '../schema/account.ts'
import { idParam } from '../schema/params.ts'
import { iso } from '../views/time.ts'
import { findAccount, requirePolicy, tellAccount } from './accounts.ts'
import { answer, createRoutes, define, jsonBody } from './route.ts'

const tags = ['accounts']

const add = define('admin', {
  method: 'post',
  path: '/accounts',
  tags,
  summary: 'Connect an account, or add one whose counters are pushed',
  request: { body: jsonBody(newAccountBody) },
  responses: answer(accountDetail, 'The account'),
})

const begin = define('admin', {
  method: 'post',
  path: '/accounts/sign-ins',
  tags,
  summary: 'Begin a sign-in in the browser',
  request: { body: jsonBody(beginSignInBody) },
  responses: answer(begunSignIn, 'Where to send the person'),
})

const finish = define('admin', {
  method: 'post',
  path: '/accounts/sign-ins/finish',
  tags,
  summary: 'Finish it with the address that the browser came back to',
  request: { body: jsonBody(finishSignInBody) },
  responses: answer(accountDetail, 'The account'),
})

const reconnect = define('admin', {
  method: 'post',
  path: '/accounts/{id}/sign-in',
  tags,
  summary: 'Sign an account in again',
  request: { params: idParam, body: jsonBody(reconnectBody) },
  responses: answer(accountDetail, 'The account, active again'),
})

export function signInRoutes(services: Services) {
  return createRoutes()
    .openapi(add, async (context) => {
      requireUnlimited(actorOf(context))
      const body = context.req.valid('json')
      if (body.kind === 'external') {
        const wish = { ...body, mode: 'watch' as const, holdoutShare: 0 }
        const row = await addAccount(services, externalPlatform, body.handle, wish, null)
        return context.json(tellAccount(services, row), 200)
      }
      const { platform, signIn: name, values, kind: _, ...wish } = body
      if (wish.policy !== undefined) await requirePolicy(services, wish.policy)
      const signedIn = await openDirect(services, platform, name, values)
      const row = await addAccount(services, platform, signedIn.handle, wish, signedIn)
      return context.json(tellAccount(services, row), 200)
    })
    .openapi(begin, async (context) => {
      requireUnlimited(actorOf(context))
      return context.json(await beginVisit(services, context, context.req.valid('json')), 200)
    })
    .openapi(finish, async (context) => {
      requireUnlimited(actorOf(context))
      const row = await finishVisit(services, context.req.valid('json'))
      return context.json(tellAccount(services, row), 200)
    })
    .openapi(reconnect, async (context) => {
      const account = await findAccount(services, context)
      const { signIn: name, values } = context.req.valid('json')
      const signedIn = await openDirect(services, account.platform, name, values)
      return context.json(
        tellAccount(services, await signInAgain(services, account, signedIn)),
        200,
      )
    })
}

function openDirect(
  services: Services,
  platform: string,
  name: string,
  values: Readonly<Record<string, string>>,
): Promise<SignedIn> {
  const { connector, signIn } = services.networks.findSignIn(platform, name, 'direct')
  const complete = completeValues(signIn, values)
  return onNetwork(services, connector, (signal) => signIn.open(services.tools, complete, signal))
}

/** Calls a network while a person waits. What it refuses is told as something to correct. */
async function onNetwork<Result>(
  { tools, clock, settings }: Services,
  connector: Connector,
  call: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  try {
    return await withDeadline(clock, settings.networkMs, call)
  } catch (error) {
    if (error instanceof InputError || error instanceof Problem) throw error
    const { code, detail } = connector.create(tools).classify(error, 'read', clock.now())
    const isRefusal = ['credentials', 'forbidden', 'not_found', 'invalid'].includes(code)
    if (isRefusal) throw wrongField('values', `${connector.title} refused: ${detail}`)
    const words = `${connector.title} could not be reached (${code}): ${detail}`
    throw new Problem(503, words, { retryAfter: 30 })
  }
}

interface AccountWish {
  readonly mode?: Mode | undefined
  readonly policy?: string | undefined
  readonly timeZone?: string | undefined
  readonly holdoutShare?: number | undefined
}

/** The same identity on the same network is one account, also when it is added twice at once. */
async function addAccount(
  services: Services,
  platform: string,
  handle: string,
  wish: AccountWish,
  signedIn: SignedIn | null,
): Promise<AccountRow> {
  const { ledger, random } = services
  if (wish.policy !== undefined) await requirePolicy(services, wish.policy)
  const name = `add-account:${platform}:${handle}`
  const owner = random.id()
  if (!(await ledger.takeLease(name, owner, addingMs))) {
    throw conflict(`The account ${handle} is being added by someone else at this moment`)
  }
  try {
    const known = (await ledger.listAccounts()).find(
      (account) =>
        account.platform === platform && account.handle === handle && account.status !== 'erased',
    )
    if (known === undefined) return await saveNew(services, platform, handle, wish, signedIn)
    if (signedIn === null) throw conflict(`There is an account ${handle} already`)
    return await signInAgain(services, known, signedIn)
  } finally {
    await ledger.releaseLease(name, owner)
  }
}

const addingMs = 30 * secondMs

async function saveNew(
  services: Services,
  platform: string,
  handle: string,
  wish: AccountWish,
  signedIn: SignedIn | null,
): Promise<AccountRow> {
  const { ledger, random, networks } = services
  const id = toAccountId(random.id())
  const now = await ledger.now()
  const usual = newAccount(id, now, { platform, handle })
  const row: AccountRow = {
    ...usual,
    mode: wish.mode ?? usual.mode,
    timeZone: wish.timeZone ?? usual.timeZone,
    policy: wish.policy ?? (await standardPolicyId(services)),
    holdoutShare: wish.holdoutShare ?? usual.holdoutShare,
    credentials: signedIn === null ? null : networks.seal(signedIn.credentials, id),
    profile: signedIn?.profile ?? null,
    discoverAt: signedIn === null ? null : now,
  }
  await ledger.saveAccount(row)
  return row
}

async function signInAgain(
  { ledger, networks }: Services,
  account: AccountRow,
  { handle, credentials, profile }: SignedIn,
): Promise<AccountRow> {
  if (handle !== account.handle) {
    throw conflict(`That is ${handle} and not ${account.handle}; add it as an account of its own`)
  }
  await ledger.setProfile(account.id, handle, profile)
  const row = await ledger.activateAccount(account.id, networks.seal(credentials, account.id))
  if (row === null) throw conflict('The account was erased')
  return row
}

const visits = 'server-sign-ins'
const visitValue = z.object({
  platform: z.string(),
  signIn: z.string(),
  accountId: z.string().nullable(),
  sealed: z.string(),
})
/** What a visit needs is sealed under a name of its own until there is an account. */
const visitContext = (state: string) => ({ accountId: toAccountId(state), purpose: 'sign-in' })

async function beginVisit(
  services: Services,
  context: AppContext,
  body: z.output<typeof beginSignInBody>,
) {
  const { ledger, tools, vault, networks, settings } = services
  const { connector, signIn } = networks.findSignIn(body.platform, body.signIn, 'browser')
  if (body.accountId !== undefined) await requireAccount(services, body.accountId)
  const values = completeValues(signIn, body.values)
  const origin = settings.publicUrl ?? new URL(context.req.url).origin
  const redirectUri = callbackAt(origin)
  const visit = await onNetwork(services, connector, (signal) =>
    signIn.begin(tools, { values, redirectUri, signal }),
  )
  const id = hashSecret(new Secret(visit.state))
  const expiresAt = (await ledger.now()) + settings.browserSignInMs
  const value = {
    platform: body.platform,
    signIn: body.signIn,
    accountId: body.accountId ?? null,
    sealed: vault.seal(visit.pending, visitContext(id)),
  }
  if (!(await ledger.putItem(visits, id, value, null, expiresAt))) {
    throw conflict('This sign-in began already; begin another one')
  }
  return { url: visit.url, state: visit.state, expiresAt: iso(expiresAt) }
}

async function requireAccount({ ledger }: Services, id: string): Promise<AccountRow> {
  const account = await ledger.getAccount(toAccountId(id))
  if (account === null || account.status === 'erased') throw notFound('account')
  return account
}

/** Each visit is finished once, whoever comes first. */
async function finishVisit(
  services: Services,
  { state, answer: address }: z.output<typeof finishSignInBody>,
): Promise<AccountRow> {
  const { ledger, tools, vault, networks } = services
  const id = hashSecret(new Secret(state))
  const item = await ledger.getItem(visits, id)
  if (item === null || !(await ledger.deleteItem(visits, id, item.version))) {
    throw wrongField('state', 'belongs to no sign-in that is under way; begin again')
  }
  const visit = visitValue.parse(item.value)
  const { connector, signIn } = networks.findSignIn(visit.platform, visit.signIn, 'browser')
  const pending = vault.open(visit.sealed, visitContext(id))
  const signedIn = await onNetwork(services, connector, (signal) =>
    signIn.finish(tools, { pending, answer: address }, signal),
  )
  if (visit.accountId === null) {
    return addAccount(services, visit.platform, signedIn.handle, {}, signedIn)
  }
  return signInAgain(services, await requireAccount(services, visit.accountId), signedIn)
}
