/** Who am I; signing in and out; the first set-up; tokens for programs. */

import { toAccountId } from '../../core/ids.ts'
import { Secret } from '../../core/secret.ts'
import { requireUnlimited, toActorView } from '../auth/actor.ts'
import type { Actor } from '../auth/actor.ts'
import { actorOf, beginSession, endSession } from '../auth/authenticate.ts'
import type { TokenFacts } from '../auth/tokens.ts'
import type { AppContext, Services } from '../context.ts'
import { addressOf, refuseFor } from '../limits.ts'
import { conflict, notFound, Problem, wrongField } from '../problem.ts'
import { idParam } from '../schema/params.ts'
import {
  newTokenBody,
  newTokenView,
  passwordBody,
  sessionView,
  setUpBody,
  signInBody,
  tokenList,
} from '../schema/session.ts'
import type { SessionView, TokenView } from '../schema/session.ts'
import { iso, isoOrNull } from '../views/time.ts'
import { answer, created, createRoutes, define, done, jsonBody } from './route.ts'

const tags = ['session']

const get = define('open', {
  method: 'get',
  path: '/session',
  tags,
  summary: 'Who am I, and is set-up needed?',
  responses: answer(sessionView, 'What anyone may know, and who is signed in'),
})

const signIn = define('open', {
  method: 'post',
  path: '/session',
  tags,
  summary: 'Sign in',
  request: { body: jsonBody(signInBody) },
  responses: answer(sessionView, 'Signed in; the session is in a cookie'),
})

const signOut = define('open', {
  method: 'delete',
  path: '/session',
  tags,
  summary: 'Sign out',
  responses: done('Signed out'),
})

const changePassword = define('admin', {
  method: 'put',
  path: '/session/password',
  tags,
  summary: 'Change the password, which ends all other sessions',
  request: { body: jsonBody(passwordBody) },
  responses: done('Changed'),
})

const setUp = define('open', {
  method: 'post',
  path: '/setup',
  tags,
  summary: 'Set the password, with the token of the printed link',
  request: { body: jsonBody(setUpBody) },
  responses: answer(sessionView, 'Set up and signed in'),
})

const listTokens = define('admin', {
  method: 'get',
  path: '/tokens',
  tags: ['tokens'],
  summary: 'Tokens, without their secrets',
  responses: answer(tokenList, 'All tokens'),
})

const addToken = define('admin', {
  method: 'post',
  path: '/tokens',
  tags: ['tokens'],
  summary: 'A new token',
  request: { body: jsonBody(newTokenBody) },
  responses: created(newTokenView, 'The token; its secret is not shown again'),
})

const revokeToken = define('admin', {
  method: 'delete',
  path: '/tokens/{id}',
  tags: ['tokens'],
  summary: 'Revoke a token',
  request: { params: idParam },
  responses: done('Revoked'),
})

export function sessionRoutes(services: Services) {
  const { owner } = services
  return createRoutes()
    .openapi(get, async (context) => context.json(await tell(services, context.var.actor), 200))
    .openapi(signIn, async (context) => {
      const body = context.req.valid('json')
      await throttled(services, context, () =>
        body.kind === 'password'
          ? owner.isPassword(new Secret(body.password))
          : owner.useSignInToken(new Secret(body.token), services.mode === 'demo'),
      )
      return context.json(await tell(services, await beginSession(context, services)), 200)
    })
    .openapi(signOut, async (context) => {
      await endSession(context, services)
      return context.body(null, 204)
    })
    .openapi(changePassword, async (context) => {
      const actor = actorOf(context)
      if (actor.kind === 'token') throw new Problem(403, 'Only a signed-in person can do this')
      const { current, next } = context.req.valid('json')
      await throttled(services, context, () =>
        owner.changePassword(new Secret(current), new Secret(next)),
      )
      await services.sessions.close(actor.id)
      await beginSession(context, services)
      return context.body(null, 204)
    })
    .openapi(setUp, async (context) => {
      const { token, password } = context.req.valid('json')
      await throttled(services, context, async () => {
        const result = await owner.setUp(new Secret(token), new Secret(password))
        if (result === 'set_already') throw conflict('A password is set already; sign in with it')
        return result === 'done'
      })
      return context.json(await tell(services, await beginSession(context, services)), 200)
    })
}

export function tokenRoutes(services: Services) {
  const { ledger, tokens } = services
  return createRoutes()
    .openapi(listTokens, async (context) => {
      requireUnlimited(actorOf(context))
      const items = (await tokens.list()).map(toTokenView)
      return context.json({ items }, 200)
    })
    .openapi(addToken, async (context) => {
      // One that may see some accounts must not make one that may see all.
      requireUnlimited(actorOf(context))
      const { accountIds, expiresAt, ...wish } = context.req.valid('json')
      const limits = accountIds?.map((id) => toAccountId(id)) ?? null
      for (const [index, id] of (limits ?? []).entries()) {
        if ((await ledger.getAccount(id)) === null) {
          throw wrongField(`accountIds[${index}]`, 'is not the id of an account')
        }
      }
      if (expiresAt !== null && expiresAt <= (await ledger.now())) {
        throw wrongField('expiresAt', 'is over already')
      }
      const { token, secret } = await tokens.add({ ...wish, accountIds: limits, expiresAt })
      context.set('isSecretAnswer', true)
      return context.json({ ...toTokenView(token), secret: secret.reveal() }, 201)
    })
    .openapi(revokeToken, async (context) => {
      requireUnlimited(actorOf(context))
      if (!(await tokens.revoke(context.req.valid('param').id))) throw notFound('token')
      return context.body(null, 204)
    })
}

async function tell({ mode, version, owner }: Services, actor: Actor | null): Promise<SessionView> {
  const needsSetUp = mode === 'live' && (await owner.generation()) === null
  return { mode, needsSetUp, version, actor: actor === null ? null : toActorView(actor) }
}

/** A wrong guess costs a try; after too many, the address waits, and then everyone. */
async function throttled(
  { logins, settings }: Services,
  context: AppContext,
  isRight: () => Promise<boolean>,
): Promise<void> {
  const address = addressOf(context, settings)
  const waitMs = Math.max(logins.byAddress.waitMs(address), logins.ofAll.waitMs('all'))
  refuseFor(waitMs, 'Too many wrong tries')
  // Counted before it is known, so that many at once do not all slip through.
  logins.byAddress.count(address)
  logins.ofAll.count('all')
  if (await isRight()) {
    logins.byAddress.forget(address)
    return
  }
  throw new Problem(401, 'That is not right; check it and try again')
}

function toTokenView(token: TokenFacts): TokenView {
  const { id, name, scope, accountIds, createdAt, expiresAt } = token
  return {
    id,
    name,
    scope,
    accountIds: accountIds === null ? null : [...accountIds],
    createdAt: iso(createdAt),
    expiresAt: isoOrNull(expiresAt),
  }
}
