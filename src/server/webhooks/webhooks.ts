/**
 * Sends events to the owner's addresses, at least once each. One process among all that share the
 * ledger does it, by a lease; it follows the events from a stored cursor and misses none.
 */

import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { minuteMs } from '../../core/duration.ts'
import type { LedgerEvent } from '../../core/events.ts'
import type { Instant } from '../../core/instant.ts'
import type { GuardedFetch } from '../../platform/guarded-fetch.ts'
import type { Metrics } from '../metrics.ts'
import type { Log, ServerSettings } from '../parts.ts'
import { toEventView } from '../views/event.ts'
import { iso } from '../views/time.ts'
import { Deliveries, deliveryId } from './deliveries.ts'
import type { Delivery, DueDelivery } from './deliveries.ts'
import { Hooks, isFor } from './hooks.ts'
import type { Hook, HookParts } from './hooks.ts'
import { sendDelivery } from './send.ts'

export interface WebhookParts extends HookParts {
  readonly clock: Clock
  readonly fetch: GuardedFetch
  readonly settings: ServerSettings
  readonly metrics: Metrics
  readonly log: Log
}

const leaseName = 'server-webhooks'
/** Longer than a turn takes, which sends a few to each address, one after another. */
const leaseMs = 5 * minuteMs
const sendsATurn = 5
const dueATurn = 500
const eventsATurn = 200

const cursors = 'server-webhook-cursor'
const cursorItem = 'events'
const cursorValue = z.object({ cursor: z.string() })

export class Webhooks {
  readonly hooks: Hooks
  readonly deliveries: Deliveries
  readonly #parts: WebhookParts
  readonly #stopping = new AbortController()
  #running: Promise<void> | null = null

  constructor(parts: WebhookParts) {
    this.#parts = parts
    this.hooks = new Hooks(parts)
    this.deliveries = new Deliveries(parts.ledger, parts.settings.webhookLogMs)
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { ledger, random, clock, settings, log } = this.#parts
    const owner = random.id()
    while (!this.#stopping.signal.aborted) {
      try {
        if (await ledger.takeLease(leaseName, owner, leaseMs)) await this.turn()
      } catch (error) {
        log.warn({ error }, 'Sending webhooks failed; it goes on')
      }
      await clock.sleep(settings.pollMs, this.#stopping.signal)
    }
    await ledger.releaseLease(leaseName, owner).catch(() => {})
  }

  /** Takes over what happened and sends what is due. Returns how many were sent. */
  async turn(): Promise<number> {
    while (await this.#collect()) {
      // A full page means that more is there already.
    }
    return this.#sendDue()
  }

  async #collect(): Promise<boolean> {
    const { ledger } = this.#parts
    const item = await ledger.getItem(cursors, cursorItem)
    const known = cursorValue.safeParse(item?.value)
    const hooks = await this.hooks.list()
    // Where nobody listens, or nobody did before, one goes on from the end.
    const isIdle = !hooks.some(({ active }) => active)
    const filter = isIdle ? { types: [] } : {}
    const after = known.success ? known.data.cursor : null
    const since = known.success || isIdle ? filter : { types: [] }
    const page = await ledger.readEvents(after, since, eventsATurn)
    for (const event of page.events) {
      for (const hook of hooks) {
        if (isFor(hook, event)) await this.deliveries.add(deliveryOf(hook, event))
      }
    }
    if (page.cursor !== after) {
      const value = { cursor: page.cursor }
      await ledger.putItem(cursors, cursorItem, value, item?.version ?? null)
    }
    return page.events.length >= eventsATurn
  }

  async #sendDue(): Promise<number> {
    const { ledger } = this.#parts
    const found = await this.deliveries.due(await ledger.now(), dueATurn)
    const byHook = Map.groupBy(found, ({ hookId }) => hookId)
    const counts = await Promise.all(
      [...byHook].map(([hookId, list]) => this.#sendTo(hookId, list.slice(0, sendsATurn))),
    )
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async #sendTo(hookId: string, list: readonly DueDelivery[]): Promise<number> {
    let sent = 0
    for (const { place, at, id } of list) {
      if (this.#stopping.signal.aborted) break
      const hook = await this.hooks.get(hookId)
      const delivery = await this.deliveries.get(hookId, id)
      // One that is due at another time by now stands there as well.
      if (delivery !== null && Math.floor(delivery.nextAttemptAt ?? -1) === at) {
        if (hook?.active === true) {
          await this.attempt(hook, delivery)
          sent += 1
        } else await this.deliveries.save(givenUp(delivery, 'The webhook is switched off'))
      }
      await this.deliveries.settle(place)
    }
    return sent
  }

  /** Sends it now and writes down what came of it. */
  async attempt(hook: Hook, delivery: Delivery): Promise<Delivery> {
    const { fetch, clock, ledger, settings, metrics } = this.#parts
    const target = { url: hook.url, secret: this.hooks.secretOf(hook) }
    const parts = { fetch, clock, timeoutMs: settings.webhookTimeoutMs }
    const result = await sendDelivery(parts, target, delivery, this.#stopping.signal)
    metrics.delivered(result.kind)
    const now = await ledger.now()
    const attempts = delivery.attempts + 1
    if (result.kind === 'delivered') {
      await this.hooks.delivered(hook.id, now)
      const { status } = result
      const outcome = { state: 'delivered', nextAttemptAt: null, detail: null } as const
      return this.#save({ ...delivery, ...outcome, attempts, status })
    }
    await this.hooks.failed(hook.id, settings.webhookFailures)
    const status = result.kind === 'refused' ? result.status : null
    const tried = { ...delivery, attempts, status, detail: result.detail }
    const delayMs = settings.webhookDelaysMs[attempts - 1]
    if (delayMs === undefined) return this.#save(givenUp(tried, result.detail))
    return this.#save({ ...tried, state: 'pending', nextAttemptAt: now + delayMs })
  }

  async #save(delivery: Delivery): Promise<Delivery> {
    await this.deliveries.save(delivery)
    return delivery
  }

  /** A message that stands for no event, sent at once and not again. */
  async test(hook: Hook): Promise<Delivery> {
    const { ledger, random } = this.#parts
    const now = await ledger.now()
    const data = { message: 'This is a test of Second Wind' }
    const delivery = newDelivery(hook.id, `test-${random.id()}`, now, 'test', data)
    const sent = await this.attempt(hook, delivery)
    return sent.state === 'pending'
      ? this.#save(givenUp(sent, sent.detail ?? 'It was not taken'))
      : sent
  }

  /** Once more, under the same id, with all tries before it. */
  async redeliver(delivery: Delivery): Promise<Delivery> {
    const nextAttemptAt = await this.#parts.ledger.now()
    return this.#save({ ...delivery, state: 'pending', attempts: 0, nextAttemptAt })
  }
}

function givenUp(delivery: Delivery, detail: string): Delivery {
  return { ...delivery, state: 'failed', nextAttemptAt: null, detail }
}

function deliveryOf({ id }: Hook, event: LedgerEvent): Delivery {
  const delivery = newDelivery(id, event.seq, event.at, event.type, toEventView(event))
  return { ...delivery, seq: event.seq }
}

function newDelivery(
  hookId: string,
  name: string | number,
  at: Instant,
  type: string,
  data: object,
): Delivery {
  return {
    id: deliveryId(at, name),
    hookId,
    type,
    seq: null,
    state: 'pending',
    attempts: 0,
    createdAt: at,
    nextAttemptAt: Math.floor(at),
    status: null,
    detail: null,
    body: JSON.stringify({ type, timestamp: iso(at), data }),
  }
}
