/** After a restore: matching an account with its timeline, and lifting the pause that it left. */

import type { Instant } from '../../core/instant.ts'
import { withDeadline } from '../../engine/deadline.ts'
import { restorePauseOf } from '../../ledger/restore-pause.ts'
import type { RestorePause } from '../../ledger/restore-pause.ts'
import type { AccountRow } from '../../ledger/rows.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { Services } from '../context.ts'
import { matchAccount } from '../matching.ts'
import type { Matched } from '../matching.ts'
import { externalPlatform } from '../networks.ts'
import { conflict, wrongField } from '../problem.ts'
import { idParam } from '../schema/params.ts'
import { accountMatch, matchBody } from '../schema/restore.ts'
import type { AccountMatch } from '../schema/restore.ts'
import { surroundingsOf } from '../views/action-detail.ts'
import { toActionView } from '../views/action.ts'
import { iso } from '../views/time.ts'
import { findAccount } from './accounts.ts'
import { answer, createRoutes, define, jsonBody } from './route.ts'

const match = define('write', {
  method: 'post',
  path: '/accounts/{id}/match',
  tags: ['accounts'],
  summary: 'After a restore, match what is out on the network, and lift its pause',
  request: { params: idParam, body: jsonBody(matchBody) },
  responses: answer(accountMatch, 'What was found; reads the network and writes nothing there'),
})

export function restoreRoutes(services: Services) {
  return createRoutes().openapi(match, async (context) => {
    const account = await findAccount(services, context)
    const { since } = context.req.valid('json')
    const by = actorOf(context).name
    return context.json(await matchRestored(services, account, since ?? null, by), 200)
  })
}

async function matchRestored(
  services: Services,
  account: AccountRow,
  since: Instant | null,
  by: string,
): Promise<AccountMatch> {
  const { ledger } = services
  const pause = restorePauseOf(await ledger.listPauses(), account.id)
  if (pause === null) return { kind: 'not_restored' }
  const backupAt = since ?? pause.backupAt
  if (backupAt === null) throw wrongField('since', 'is missing: when was the backup made?')
  // Nothing is ever sent for an account whose counters are pushed, nor for one that was erased.
  const canSend = account.platform !== externalPlatform && account.status !== 'erased'
  const fault = canSend ? await tryReading(services, account) : null
  if (fault !== null) return { kind: 'failed', ...fault }
  const matched = canSend ? await matchAccount(services, account, { backupAt, by }) : nothing
  return {
    kind: 'read',
    ...toView(services, account, matched),
    pause: await liftPause(services, account, pause, matched, by),
  }
}

const nothing: Matched = {
  posts: 0,
  unread: [],
  replies: [],
  cancelled: [],
  doubtful: [],
  open: [],
}

/** So that whoever waits is told what is wrong; null where the network answers. */
async function tryReading(services: Services, account: AccountRow) {
  const { networks, clock, settings } = services
  if (account.status === 'parked') {
    throw conflict('Its credentials died; sign in again, and match it then')
  }
  const platform = networks.platformOf(account)
  if (platform === null) throw conflict(`There is no connector for ${account.platform} here`)
  const connection = networks.connect(account)
  try {
    await withDeadline(clock, settings.networkMs, (signal) =>
      platform.probe({ connection, signal }),
    )
    return null
  } catch (error) {
    const { code, detail } = platform.classify(error, 'read', clock.now())
    return { code, detail }
  }
}

/** One pause of an account replaces another, so what the owner had paused is paused again. */
async function liftPause(
  { ledger }: Services,
  { id: target }: AccountRow,
  { before }: RestorePause,
  { unread, doubtful }: Matched,
  by: string,
): Promise<'lifted' | 'paused_before' | 'kept'> {
  if (unread.length > 0 || doubtful.length > 0) return 'kept'
  if (before === null) {
    await ledger.resume('account', target)
    return 'lifted'
  }
  await ledger.pause({ scope: 'account', target, reason: before, until: null, by })
  return 'paused_before'
}

function toView(services: Services, account: AccountRow, matched: Matched) {
  const views = (rows: Matched['open']) =>
    rows.map((row) => toActionView(row, surroundingsOf(services, account, row)))
  return {
    posts: matched.posts,
    unread: [...matched.unread],
    replies: matched.replies.map(({ postId, remoteId, at }) => ({ postId, remoteId, at: iso(at) })),
    cancelled: views(matched.cancelled),
    doubtful: views(matched.doubtful),
    open: views(matched.open),
  }
}
