/**
 * Owns repeated requests. A program whose answer was lost sends the same request with the same
 * Idempotency-Key and gets the first answer again; nothing is done twice.
 */

import { createHmac, hash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { z } from 'zod'
import { minuteMs } from '../core/duration.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { AppContext, AppEnv, Services } from './context.ts'
import { conflict, wrongField } from './problem.ts'
import { readShelf } from './shelf.ts'

const collection = 'server-idempotency'
/** A process that died in the middle frees the key after this. */
const pendingMs = 5 * minuteMs
/** Larger answers are not kept. */
const largestAnswer = 256 * 1024

const keptValue = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('pending'), request: z.string() }),
  z.object({
    kind: z.literal('done'),
    request: z.string(),
    status: z.number(),
    type: z.string().nullable(),
    body: z.string(),
  }),
  /** It was done, and its answer held a secret or was too large. */
  z.object({ kind: z.literal('not_kept'), request: z.string() }),
])
type Kept = z.infer<typeof keptValue>

/** Signing in has no actor yet and its answers are cookies: there a repeat is harmless. */
export function idempotency(
  parts: Pick<Services, 'ledger' | 'settings'>,
): MiddlewareHandler<AppEnv> {
  const { ledger, settings } = parts
  return async (context, next) => {
    const key = context.req.header('idempotency-key')
    const { actor } = context.var
    const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(context.req.method)
    if (key === undefined || actor === null || isRead || isAboutSignIn(context)) return next()
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw wrongField('Idempotency-Key', 'must be 1 to 255 visible ASCII characters')
    }
    const id = hash('sha256', `${actor.kind}\n${actor.kind === 'token' ? actor.id : ''}\n${key}`)
    const request = await fingerprint(context, key)
    const now = await ledger.now()
    const pending: Kept = { kind: 'pending', request }
    if (!(await ledger.putItem(collection, id, pending, null, now + pendingMs))) {
      context.res = await repeat(ledger, id, request)
      return
    }
    await next()
    await keep(context, ledger, id, request, now + settings.idempotencyKeepMs)
  }
}

function isAboutSignIn(context: AppContext): boolean {
  return /^\/api\/v1\/(session|setup)(\/|$)/.test(context.req.path)
}

/** With the key as its secret: a hash alone would let a stored password be guessed. */
async function fingerprint(context: AppContext, key: string): Promise<string> {
  const { method, url } = context.req
  const { pathname, search } = new URL(url)
  return createHmac('sha256', key)
    .update(`${method}\n${pathname}${search}\n`)
    .update(await context.req.text())
    .digest('hex')
}

async function repeat(ledger: Ledger, id: string, request: string): Promise<Response> {
  const item = await ledger.getItem(collection, id)
  const kept = keptValue.safeParse(item?.value)
  if (!kept.success) throw conflict('The request with this Idempotency-Key just ended; try again')
  if (kept.data.request !== request) {
    throw conflict('This Idempotency-Key was used for another request; take a new one')
  }
  switch (kept.data.kind) {
    case 'pending':
      throw conflict('The first request with this Idempotency-Key is still under way')
    case 'not_kept':
      throw conflict('This was done already; its answer was not kept, as it held a secret')
    case 'done': {
      const { status, type, body } = kept.data
      const headers = new Headers({ 'idempotency-replayed': 'true' })
      if (type !== null) headers.set('content-type', type)
      return new Response(status === 204 ? null : body, { status, headers })
    }
  }
}

/** What was refused changed nothing, so the key stays free for a better request. */
async function keep(
  context: AppContext,
  ledger: Ledger,
  id: string,
  request: string,
  expiresAt: number,
): Promise<void> {
  const item = await ledger.getItem(collection, id)
  if (item === null) return
  if (!context.res.ok) {
    await ledger.deleteItem(collection, id, item.version)
    return
  }
  const body = await context.res.clone().text()
  const isKept = context.var.isSecretAnswer !== true && body.length <= largestAnswer
  const type = context.res.headers.get('content-type')
  const { status } = context.res
  const value: Kept = isKept
    ? { kind: 'done', request, status, type, body }
    : { kind: 'not_kept', request }
  await ledger.putItem(collection, id, value, item.version, expiresAt)
}

/** Answers hold texts; where texts are erased, they go as well. */
export async function forgetKeptAnswers(ledger: Ledger): Promise<void> {
  for (const { id, value, version } of await readShelf(ledger, collection)) {
    if (keptValue.safeParse(value).data?.kind === 'done') {
      await ledger.deleteItem(collection, id, version)
    }
  }
}
