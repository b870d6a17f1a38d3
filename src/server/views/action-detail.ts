/** Owns gathering what the screens of actions show, for a page of them and for one. */

import type { AccountId } from '../../core/ids.ts'
import type { AccountRow, ActionRow, VerdictRow } from '../../ledger/rows.ts'
import type { Services } from '../context.ts'
import type { ActionDetail, ActionSummary } from '../schema/action.ts'
import { planOf, toActionSummary, toApprovalView, toAttemptView } from './action.ts'
import type { ActionSurroundings } from './action.ts'
import { toMeasurementView } from './post.ts'
import { toTimeline } from './timeline.ts'

/** A plan that still waits is among its post's latest verdicts; one that is over may not be. */
const latestVerdicts = 20
const allVerdicts = 500
const mostEvents = 200

export function surroundingsOf(
  { networks }: Pick<Services, 'networks'>,
  account: AccountRow | null,
  { action }: Pick<ActionRow, 'action'>,
): ActionSurroundings {
  if (account === null) return { handle: '', canUndo: false }
  const canUndo = networks.describe(account)?.canUndo[action] ?? false
  return { handle: account.handle, canUndo }
}

export async function readActionSummaries(
  services: Services,
  rows: readonly ActionRow[],
): Promise<ActionSummary[]> {
  const accounts = await readAccounts(services, rows)
  return Promise.all(
    rows.map((row) => {
      const account = accounts.get(row.accountId) ?? null
      return summarize(services, row, account, latestVerdicts)
    }),
  )
}

export async function readActionSummary(
  services: Services,
  row: ActionRow,
): Promise<ActionSummary> {
  const account = await services.ledger.getAccount(row.accountId)
  return summarize(services, row, account, latestVerdicts)
}

async function summarize(
  services: Services,
  row: ActionRow,
  account: AccountRow | null,
  verdicts: number,
): Promise<ActionSummary> {
  const around = surroundingsOf(services, account, row)
  const post = await services.ledger.getPost(row.postId)
  return toActionSummary(row, around, post, await readPlan(services, row, verdicts))
}

async function readPlan(
  { ledger }: Pick<Services, 'ledger'>,
  row: ActionRow,
  limit: number,
): Promise<VerdictRow | null> {
  if (row.undoes !== null) return null
  return planOf(row, await ledger.listVerdicts(row.postId, limit))
}

export async function readActionDetail(
  services: Services,
  action: ActionRow,
): Promise<ActionDetail> {
  const { ledger } = services
  const { id, postId } = action
  const page = { before: null, limit: mostEvents }
  const [plan, attempts, approvals, measurements, events, undos] = await Promise.all([
    readPlan(services, action, allVerdicts),
    ledger.listAttempts(id),
    ledger.listApprovals(id),
    action.undoes === null ? ledger.listMeasurements(postId) : [],
    ledger.pageEvents({ actionId: id }, page),
    ledger.pageActions({ postId, undoes: id }, { before: null, limit: 50 }),
  ])
  const account = await ledger.getAccount(action.accountId)
  const around = surroundingsOf(services, account, action)
  const post = await ledger.getPost(postId)
  const story = { action, plan, approvals, attempts, measurements, events: events.items }
  return {
    ...toActionSummary(action, around, post, plan),
    timeline: toTimeline(story),
    attemptRows: attempts.map(toAttemptView),
    approvals: approvals.map(toApprovalView),
    measurements: measurements.map(toMeasurementView),
    outcome: action.outcome,
    undoneBy: undos.items.map((row) => ({ id: row.id, state: row.state })),
  }
}

async function readAccounts(
  { ledger }: Services,
  rows: readonly ActionRow[],
): Promise<ReadonlyMap<AccountId, AccountRow | null>> {
  const ids = [...new Set(rows.map(({ accountId }) => accountId))]
  const accounts = await Promise.all(ids.map((id) => ledger.getAccount(id)))
  return new Map(ids.map((id, index) => [id, accounts[index] ?? null]))
}
