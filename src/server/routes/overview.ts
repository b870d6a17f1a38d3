/** Does anything need me, and is it running? */

import { listWorkers, readDeliveryState } from '../../engine/delivery/presence.ts'
import type { DeliveryState, WorkerReport } from '../../engine/delivery/presence.ts'
import type { Services } from '../context.ts'
import { accountFilter, maySee, requireUnlimited } from '../auth/actor.ts'
import { actorOf } from '../auth/authenticate.ts'
import type { Health } from '../health.ts'
import { overviewView, systemView } from '../schema/overview.ts'
import type { DeliveryStateView, WorkerView } from '../schema/overview.ts'
import { iso, isoOrNull } from '../views/time.ts'
import { answer, createRoutes, define } from './route.ts'

const overview = define('read', {
  method: 'get',
  path: '/overview',
  tags: ['system'],
  summary: 'Does anything need me?',
  responses: answer(overviewView, 'Counts by what they ask for'),
})

const system = define('read', {
  method: 'get',
  path: '/system',
  tags: ['system'],
  summary: 'Is it running?',
  responses: answer(systemView, 'The engine, the ledger and this server'),
})

export function overviewRoutes(services: Services, health: Health) {
  const { ledger } = services
  return createRoutes()
    .openapi(overview, async (context) => {
      const actor = actorOf(context)
      const [counts, accounts, pauses, now] = await Promise.all([
        ledger.overview(accountFilter(actor, undefined)),
        ledger.listAccounts(),
        ledger.listPauses(),
        ledger.now(),
      ])
      const seen = accounts.filter(({ id, status }) => status !== 'erased' && maySee(actor, id))
      const inMode = (mode: string) => seen.filter((account) => account.mode === mode).length
      return context.json(
        {
          ...counts,
          nextApprovalExpiresAt: isoOrNull(counts.nextApprovalExpiresAt),
          accounts: { watch: inMode('watch'), approve: inMode('approve'), auto: inMode('auto') },
          pauses: pauses.length,
          now: iso(now),
        },
        200,
      )
    })
    .openapi(system, async (context) => {
      requireUnlimited(actorOf(context))
      const [checked, workers, delivery] = await Promise.all([
        health.check(),
        listWorkers(ledger),
        readDeliveryState(ledger),
      ])
      const { engine, report, now, nextDueAt, overdueMs } = checked
      return context.json(
        {
          version: services.version,
          mode: services.mode,
          now: iso(now),
          startedAt: iso(now - (services.clock.monotonicMs() - services.startedMs)),
          ledger: services.ledgerKind,
          engine: {
            state: engine,
            lastTurnAt: isoOrNull(report?.lastTurnAt ?? null),
            overdueMs,
            nextDueAt: isoOrNull(nextDueAt),
            problems: (report?.problems ?? []).map(({ at, work, id, message }) => ({
              at: iso(at),
              work,
              id,
              message,
            })),
          },
          streams: services.tail.open,
          workers: workers.toSorted(byHostAndAge).map(viewWorker),
          delivery: delivery === null ? null : viewDelivery(delivery),
        },
        200,
      )
    })
}

/** So that each keeps its place while others come and go. */
function byHostAndAge(one: WorkerReport, other: WorkerReport): number {
  if (one.host !== other.host) return one.host < other.host ? -1 : 1
  return one.startedAt - other.startedAt
}

function viewWorker(worker: WorkerReport): WorkerView {
  return { ...worker, startedAt: iso(worker.startedAt), seenAt: iso(worker.seenAt) }
}

function viewDelivery({ at, leader, ready, checkMs, actionMs }: DeliveryState): DeliveryStateView {
  return { at: iso(at), leader, ready, checkLagMs: checkMs, actionLagMs: actionMs }
}
