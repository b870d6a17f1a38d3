/**
 * Owns finding out who asks. A program shows a token; a browser shows its session's cookie and, to
 * change anything, that the request was made by a page of this very server.
 */

import type { MiddlewareHandler } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { Secret } from '../../core/secret.ts'
import type { AppContext, AppEnv, Services } from '../context.ts'
import { Problem } from '../problem.ts'
import type { Scope } from '../schema/session.ts'
import { hasScope } from './actor.ts'
import type { Actor } from './actor.ts'

const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

type AuthParts = Pick<Services, 'sessions' | 'tokens' | 'settings'>

export function authenticate(parts: AuthParts): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    context.set('actor', await findActor(context, parts))
    // Also where nobody is signed in: signing in must not be forced on a browser from elsewhere.
    if (!safeMethods.has(context.req.method) && context.var.actor?.kind !== 'token') {
      requireSameOrigin(context, parts.settings.publicUrl)
    }
    await next()
  }
}

async function findActor(context: AppContext, parts: AuthParts): Promise<Actor | null> {
  const { actor: here } = context.env
  if (here !== undefined) return here
  const header = context.req.header('authorization')
  if (header !== undefined) {
    const bearer = /^Bearer +(\S{1,512})$/i.exec(header)?.[1]
    const actor = bearer === undefined ? null : await parts.tokens.find(new Secret(bearer))
    // A wrong token is an error and never falls back to a cookie.
    if (actor === null) throw new Problem(401, 'The token is not valid, has expired or was revoked')
    return actor
  }
  const cookie = getCookie(context, cookieName(context, parts.settings.publicUrl))
  return cookie === undefined ? null : parts.sessions.find(new Secret(cookie))
}

/** Lets a route be used by those who have a scope. */
export function requireScope(scope: Scope): MiddlewareHandler<AppEnv> {
  return async (context, next) => {
    const { actor } = context.var
    if (actor === null) {
      throw new Problem(401, 'Sign in, or send a token as `Authorization: Bearer …`')
    }
    if (!hasScope(actor, scope)) {
      throw new Problem(403, `This needs the scope ${scope}; yours is ${actor.scope}`)
    }
    await next()
  }
}

/** After `requireScope` there always is one. */
export function actorOf(context: AppContext): Actor {
  const { actor } = context.var
  if (actor === null) throw new Problem(401, 'Sign in first')
  return actor
}

function requireSameOrigin(context: AppContext, publicUrl: string | null): void {
  const site = context.req.header('sec-fetch-site')
  const origin = context.req.header('origin')
  const isSame =
    origin === undefined ? site === 'same-origin' : isOwnOrigin(context, origin, publicUrl)
  // A browser sends at least one of the two with every change.
  if (isSame && (site === undefined || site === 'same-origin')) return
  throw new Problem(403, 'This page is not one of the server’s own; use a token from elsewhere')
}

function isOwnOrigin(context: AppContext, origin: string, publicUrl: string | null): boolean {
  if (publicUrl !== null && origin === new URL(publicUrl).origin) return true
  return origin === new URL(context.req.url).origin
}

/** The prefix keeps a page of a sibling domain, or of plain HTTP, from setting it. */
function cookieName(context: AppContext, publicUrl: string | null): string {
  return isSecure(context, publicUrl) ? '__Host-secondwind' : 'secondwind'
}

function isSecure(context: AppContext, publicUrl: string | null): boolean {
  return (publicUrl ?? context.req.url).startsWith('https:')
}

export async function beginSession(context: AppContext, parts: AuthParts): Promise<Actor> {
  const { publicUrl, sessionMs } = parts.settings
  const secret = await parts.sessions.open()
  setCookie(context, cookieName(context, publicUrl), secret.reveal(), {
    httpOnly: true,
    sameSite: 'Strict',
    secure: isSecure(context, publicUrl),
    path: '/',
    // Browsers refuse more than 400 days.
    maxAge: Math.min(400 * 86_400, Math.floor(sessionMs / 1000)),
  })
  const actor = await parts.sessions.find(secret)
  if (actor === null) throw new Error('A session that was just opened is not there')
  return actor
}

export async function endSession(context: AppContext, parts: AuthParts): Promise<void> {
  const { actor } = context.var
  if (actor?.kind === 'owner') await parts.sessions.close(actor.id)
  const { publicUrl } = parts.settings
  const secure = isSecure(context, publicUrl)
  deleteCookie(context, cookieName(context, publicUrl), { path: '/', secure })
}
