/**
 * Owns the numbers for Prometheus. What the ledger knows is read when someone asks, so that it is
 * the same from every process; what only this process knows is counted as it happens.
 */

import type { MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { Clock } from '../core/clock.ts'
import { listWorkers, readDeliveryState } from '../engine/delivery/presence.ts'
import type { DeliveryState, WorkerReport } from '../engine/delivery/presence.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { AppContext, AppEnv } from './context.ts'
import type { Health } from './health.ts'

const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]

export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Histogram<'method' | 'route' | 'status'>
  readonly #streams: Gauge
  readonly #deliveries: Counter<'result'>
  readonly #overview: Gauge<'what'>
  readonly #overdue: Gauge
  readonly #ready: Gauge
  readonly #workers: WorkerGauges
  readonly #delivery: DeliveryGauges
  #watchesProcess = false

  constructor() {
    const registers = [this.#registry]
    this.#requests = new Histogram({
      name: 'secondwind_http_request_seconds',
      help: 'How long requests took, by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets,
      registers,
    })
    this.#streams = new Gauge({
      name: 'secondwind_event_streams',
      help: 'Event streams that are open',
      registers,
    })
    this.#deliveries = new Counter({
      name: 'secondwind_webhook_attempts_total',
      help: 'Webhook sends by what came of them: delivered, refused or failed',
      labelNames: ['result'],
      registers,
    })
    this.#overview = new Gauge({
      name: 'secondwind_ledger',
      help: 'Posts, actions and accounts by where they stand; see the overview of the API',
      labelNames: ['what'],
      registers,
    })
    this.#overdue = new Gauge({
      name: 'secondwind_overdue_seconds',
      help: 'How long the longest due piece of work has been waiting',
      registers,
    })
    this.#ready = new Gauge({
      name: 'secondwind_ready',
      help: '1 while the ledger answers and the engine is not stuck',
      registers,
    })
    this.#workers = createWorkerGauges(registers)
    this.#delivery = createDeliveryGauges(registers)
  }

  streamOpened(): void {
    this.#streams.inc()
  }

  streamClosed(): void {
    this.#streams.dec()
  }

  delivered(result: 'delivered' | 'refused' | 'failed'): void {
    this.#deliveries.inc({ result })
  }

  measureRequests(clock: Clock): MiddlewareHandler<AppEnv> {
    return async (context, next) => {
      const startMs = clock.monotonicMs()
      await next()
      const seconds = (clock.monotonicMs() - startMs) / 1000
      const status = String(context.res.status)
      const { method } = context.req
      this.#requests.observe({ method, route: routeOf(context), status }, seconds)
    }
  }

  async text(ledger: Ledger, health: Health): Promise<string> {
    // Watching the process costs something, so it begins with the first who asks.
    if (!this.#watchesProcess) collectDefaultMetrics({ register: this.#registry })
    this.#watchesProcess = true
    const counts = await ledger.overview()
    for (const [what, value] of Object.entries(counts)) {
      if (typeof value === 'number') this.#overview.set({ what }, value)
    }
    const { overdueMs, isReady } = await health.check()
    this.#overdue.set(overdueMs / 1000)
    this.#ready.set(Number(isReady))
    const workers = await listWorkers(ledger)
    const delivery = await readDeliveryState(ledger)
    setWorkers(this.#workers, workers)
    setDelivery(this.#delivery, delivery)
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }
}

type WorkerFigure = 'places' | 'busy' | 'done' | 'failed'
type WorkerGauges = Readonly<Record<WorkerFigure, Gauge<'worker' | 'host'>>>

function createWorkerGauges(registers: Registry[]): WorkerGauges {
  const create = (figure: WorkerFigure, help: string) => {
    const name = `secondwind_worker_${figure}`
    return new Gauge({ name, help, labelNames: ['worker', 'host'], registers })
  }
  return {
    places: create('places', 'Jobs that a worker may do at once'),
    busy: create('busy', 'Jobs that a worker is doing'),
    done: create('done', 'Jobs that a worker has ended since it started'),
    failed: create('failed', 'Problems that a worker has met since it started'),
  }
}

/** A worker that is gone leaves no figure behind. */
function setWorkers(gauges: WorkerGauges, workers: readonly WorkerReport[]): void {
  for (const [figure, gauge] of Object.entries(gauges)) {
    gauge.reset()
    for (const worker of workers) {
      gauge.set({ worker: worker.id, host: worker.host }, worker[figure as WorkerFigure])
    }
  }
}

type DeliveryGauges = Readonly<Record<'ready' | 'check' | 'action', Gauge>>

function createDeliveryGauges(registers: Registry[]): DeliveryGauges {
  return {
    ready: new Gauge({
      name: 'secondwind_jobs_ready',
      help: 'Jobs that could begin now, counted up to 2,000',
      registers,
    }),
    check: new Gauge({
      name: 'secondwind_check_lag_seconds',
      help: 'How long the post that has waited longest is due to be looked at',
      registers,
    }),
    action: new Gauge({
      name: 'secondwind_action_lag_seconds',
      help: 'How long the action that has waited longest is due',
      registers,
    }),
  }
}

/** Where nobody leads nothing is known, and 0 would say that nothing waits. */
function setDelivery(gauges: DeliveryGauges, delivery: DeliveryState | null): void {
  if (delivery === null) {
    for (const gauge of Object.values(gauges)) gauge.remove()
    return
  }
  gauges.ready.set(delivery.ready)
  gauges.check.set(delivery.checkMs / 1000)
  gauges.action.set(delivery.actionMs / 1000)
}

/** The pattern and not the path: a label for each post would never end. */
function routeOf(context: AppContext): string {
  const routes = matchedRoutes(context)
  return routes.findLast(({ path }) => !path.endsWith('*'))?.path ?? 'other'
}
