/** What was learnt: is it worth it, and how do posts grow if nobody helps them? */

import { dayMs, hourMs } from '../../core/duration.ts'
import { toAccountId } from '../../core/ids.ts'
import type { LiftReport } from '../../engine/learn.ts'
import { requireVisible } from '../auth/actor.ts'
import type { Actor } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { Services } from '../context.ts'
import { notFound, wrongField } from '../problem.ts'
import { baselineView, liftQuery, liftView } from '../schema/lift.ts'
import type { GroupLiftView, LiftView } from '../schema/lift.ts'
import { accountParam } from '../schema/params.ts'
import { bandOf } from '../views/post-detail.ts'
import { answer, createRoutes, define } from './route.ts'

const lift = define('read', {
  method: 'get',
  path: '/lift',
  tags: ['lift'],
  summary: 'Does it help?',
  request: { query: liftQuery },
  responses: answer(liftView, 'The measured effect against posts that were held out'),
})

const baseline = define('read', {
  method: 'get',
  path: '/baselines/{accountId}',
  tags: ['lift'],
  summary: 'How an account’s past posts grew',
  request: { params: accountParam },
  responses: answer(baselineView, 'The expected band'),
})

const horizonsMs = { '2h': 2 * hourMs, '24h': dayMs, '7d': 7 * dayMs } as const

export function liftRoutes(services: Services) {
  const { ledger, baselines, liftReports } = services
  return createRoutes()
    .openapi(lift, async (context) => {
      const { horizon, accountId } = context.req.valid('query')
      const asked = onlyAccount(actorOf(context), accountId)
      if (asked === undefined) {
        return context.json(toLiftView(await liftReports.of(horizonsMs[horizon])), 200)
      }
      const id = toAccountId(asked)
      requireVisible(actorOf(context), id, 'account')
      if ((await ledger.getAccount(id)) === null) throw notFound('account')
      return context.json(toLiftView(await liftReports.of(horizonsMs[horizon], id)), 200)
    })
    .openapi(baseline, async (context) => {
      const id = toAccountId(context.req.valid('param').accountId)
      requireVisible(actorOf(context), id, 'account')
      const account = await ledger.getAccount(id)
      if (account === null) throw notFound('account')
      const { baseline: curves } = await baselines.of(account)
      const band = [...(await bandOf(services, account))]
      const { size, ownSize } = curves
      return context.json({ accountId: id, curves: size, ownCurves: ownSize, band }, 200)
    })
}

/** Pooling some accounts and not others is not worked out; one must be named then. */
function onlyAccount({ accountIds }: Actor, asked: string | undefined): string | undefined {
  if (asked !== undefined || accountIds === null) return asked
  if (accountIds.length === 1) return accountIds[0]
  throw wrongField('accountId', 'is missing: the token may see several accounts, so name one')
}

function toLiftView(report: LiftReport): LiftView {
  const { horizonMs, pooled, byAction, byTier, byPlatform, byAccount } = report
  return {
    horizonMs,
    pooled: toGroup(pooled),
    byAction: byAction.map(toGroup),
    byTier: byTier.map(toGroup),
    byPlatform: byPlatform.map(toGroup),
    byAccount: byAccount.map(toGroup),
    byActionOnPlatform: report.byActionOnPlatform.map((group) => ({
      ...toGroup(group),
      action: group.action,
      platform: group.platform,
    })),
    hints: [...report.hints],
  }
}

function toGroup({ name, lift: measured, leftOut }: LiftReport['pooled']): GroupLiftView {
  return {
    name,
    lift:
      measured === null
        ? null
        : {
            verdict: measured.verdict,
            posts: measured.posts,
            acted: measured.acted,
            heldOut: measured.heldOut,
            effect: measured.effect === null ? null : { ...measured.effect },
            morePosts: measured.morePosts,
          },
    leftOut: {
      waiting: { ...leftOut.waiting },
      lost: { ...leftOut.lost },
      withoutDraw: leftOut.withoutDraw,
    },
  }
}
