/** Pauses. When the answer is there, no attempt begins any more. */

import { toAccountId } from '../../core/ids.ts'
import { restoreOf } from '../../ledger/restore-pause.ts'
import type { PauseRow } from '../../ledger/rows.ts'
import { maySee, requireUnlimited, requireVisible } from '../auth/actor.ts'
import type { Actor } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { Services } from '../context.ts'
import { notFound, wrongField } from '../problem.ts'
import { pauseBody, paused, pauseList, resumeQuery } from '../schema/pause.ts'
import type { PauseView } from '../schema/pause.ts'
import { toActionView } from '../views/action.ts'
import { surroundingsOf } from '../views/action-detail.ts'
import { iso, isoOrNull } from '../views/time.ts'
import { answer, createRoutes, define, done, jsonBody } from './route.ts'

const tags = ['pauses']

const list = define('read', {
  method: 'get',
  path: '/pauses',
  tags,
  summary: 'Pauses in force',
  responses: answer(pauseList, 'All pauses'),
})

const pause = define('approve', {
  method: 'post',
  path: '/pauses',
  tags,
  summary: 'Pause everything, a platform or an account',
  request: { body: jsonBody(pauseBody) },
  responses: answer(paused, 'Paused; what was sent before and is still in flight'),
})

const resume = define('write', {
  method: 'delete',
  path: '/pauses',
  tags,
  summary: 'Resume',
  request: { query: resumeQuery },
  responses: done('Resumed'),
})

type Scope = PauseView['scope']

export function pauseRoutes(services: Services) {
  const { ledger } = services
  const read = async (actor: Actor): Promise<PauseView[]> =>
    (await ledger.listPauses())
      .filter(({ scope, target }) => scope !== 'account' || maySee(actor, toAccountId(target)))
      .map(toPauseView)
  return createRoutes()
    .openapi(list, async (context) => context.json({ items: await read(actorOf(context)) }, 200))
    .openapi(pause, async (context) => {
      const actor = actorOf(context)
      const { scope, target, reason, until } = context.req.valid('json')
      requireTarget(actor, scope, target)
      await requireExisting(services, scope, target)
      if (until !== null && until <= (await ledger.now())) {
        throw wrongField('until', 'is over already')
      }
      const rows = await ledger.pause({ scope, target, reason, until, by: actor.name })
      const seen = rows.filter(({ accountId }) => maySee(actor, accountId))
      const inFlight = await Promise.all(
        seen.map(async (row) => {
          const account = await ledger.getAccount(row.accountId)
          return toActionView(row, surroundingsOf(services, account, row))
        }),
      )
      return context.json({ pauses: await read(actor), inFlight }, 200)
    })
    .openapi(resume, async (context) => {
      const { scope, target } = context.req.valid('query')
      requireTarget(actorOf(context), scope, target)
      if (!(await ledger.resume(scope, target))) throw notFound('pause')
      return context.body(null, 204)
    })
}

function toPauseView(row: PauseRow): PauseView {
  const { scope, target, since, until, reason, by } = row
  const restore = restoreOf(row)
  return {
    scope,
    target,
    since: iso(since),
    until: isoOrNull(until),
    reason,
    by,
    restore: restore === null ? null : { backupAt: isoOrNull(restore.backupAt) },
  }
}

function requireTarget(actor: Actor, scope: Scope, target: string): void {
  if (scope === 'everything') {
    if (target !== '') throw wrongField('target', 'must be empty: everything has none')
    requireUnlimited(actor)
    return
  }
  if (target === '') throw wrongField('target', `is missing: which ${scope}?`)
  if (scope === 'platform') requireUnlimited(actor)
  else requireVisible(actor, toAccountId(target, 'target'), 'account')
}

/** A pause of something that is not there would look like safety. */
async function requireExisting({ ledger }: Services, scope: Scope, target: string) {
  if (scope === 'everything') return
  const accounts = await ledger.listAccounts()
  const isThere = accounts.some(({ id, platform }) =>
    scope === 'account' ? id === target : platform === target,
  )
  if (!isThere) throw wrongField('target', `is no ${scope} of this installation`)
}
