/**
 * Trials: what only trying on the network shows. Here alone the server writes on a network, because
 * the owner asked for it; what was written is taken away again.
 */

import { minuteMs } from '../../core/duration.ts'
import { withDeadline } from '../../engine/deadline.ts'
import type { AccountRow } from '../../ledger/rows.ts'
import { concerns } from '../../ledger/steps/pause.ts'
import type { TrialResult } from '../../platform/connector.ts'
import type { Services } from '../context.ts'
import { conflict } from '../problem.ts'
import { accountProof } from '../schema/account.ts'
import type { AccountProof } from '../schema/account.ts'
import { idParam } from '../schema/params.ts'
import { findAccount } from './accounts.ts'
import { answer, createRoutes, define } from './route.ts'

/** A trial is many calls, and what it wrote has to be taken away within this too. */
const trialMs = 2 * minuteMs

const prove = define('write', {
  method: 'post',
  path: '/accounts/{id}/prove',
  tags: ['accounts'],
  summary: 'Try out on the network what reading does not show; see the platform’s trial',
  request: { params: idParam },
  responses: answer(accountProof, 'What was found, and is kept'),
})

export function trialRoutes(services: Services) {
  return createRoutes().openapi(prove, async (context) => {
    const account = await findAccount(services, context)
    return context.json(await proveAccount(services, account), 200)
  })
}

async function proveAccount(services: Services, account: AccountRow): Promise<AccountProof> {
  const { ledger, networks, tools, clock } = services
  if (account.status === 'erased') throw conflict('The account was erased')
  const title = networks.titleOf(account.platform)
  const trial = networks.trialOf(account)
  const platform = networks.platformOf(account)
  if (trial === null || platform === null) {
    throw conflict(`${title} has nothing to try out: reading shows what the account can do`)
  }
  await requireSending(services, account)
  const connection = networks.connect(account)
  let result: TrialResult
  try {
    result = await withDeadline(clock, trialMs, (signal) =>
      trial.run(tools, { connection, signal }),
    )
  } catch (error) {
    const { code, detail, landed } = platform.classify(error, 'write', clock.now())
    return { kind: 'failed', code, detail, mayBeLeft: landed === 'unknown' }
  }
  const { profile, finding, leftOver } = result
  await ledger.setProfile(account.id, account.handle, profile)
  return { kind: 'ok', finding, profile, leftOver: [...leftOver] }
}

/** A trial is a send like any other: not while it is paused, nor with credentials that died. */
async function requireSending({ ledger }: Services, account: AccountRow): Promise<void> {
  if (account.status === 'parked') throw conflict('Its credentials died; sign in again first')
  const pauses = await ledger.listPauses()
  const pause = pauses.find((row) => concerns(row, account.id, account.platform))
  if (pause !== undefined) throw conflict(`It is paused (${pause.reason}); resume it first`)
}
