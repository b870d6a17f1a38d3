/** Webhooks: every event reaches the owner's address at least once, signed, or the log says why. */

import { Webhook } from 'standardwebhooks'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { hourMs, minuteMs, secondMs } from '../src/core/duration.ts'
import { LedgerError } from '../src/ledger/index.ts'
import type { EventView } from '../src/server/schema/event.ts'
import type { DeliveryView, NewWebhookView, WebhookView } from '../src/server/schema/webhook.ts'
import { drained } from './builders/engine.ts'
import { World } from './server/world.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})

const url = 'https://hooks.example/in'

async function addHook(wish: object = {}): Promise<NewWebhookView> {
  const answer = await world.post<NewWebhookView>('/webhooks', { url, ...wish })
  expect(answer.status).toBe(201)
  return answer.body
}

/** Lets the sender work for a while, second by second. */
async function work(durationMs = 3 * secondMs): Promise<void> {
  for (let passedMs = 0; passedMs < durationMs; passedMs += secondMs / 2) {
    await world.stage.clock.advance(secondMs / 2)
    await drained()
    await drained()
  }
}

async function start(): Promise<void> {
  world.server.start()
  await work()
}

async function pauseAndResume(target = 'ann'): Promise<void> {
  await world.post('/pauses', { scope: 'account', target })
  await world.call('DELETE', `/pauses?scope=account&target=${target}`)
}

const log = async (hook: NewWebhookView) =>
  (await world.get<{ items: DeliveryView[] }>(`/webhooks/${hook.id}/deliveries`)).body.items

const typesSent = () => world.sent.map(({ body }) => (JSON.parse(body) as { type: string }).type)

describe('a delivery', () => {
  test('is signed so that the receiver can prove where it comes from', async () => {
    const hook = await addHook()
    await start()
    await pauseAndResume()
    await work()
    expect(typesSent()).toEqual(['paused', 'resumed'])
    const [request] = world.sent
    if (request === undefined) throw new Error('Nothing was sent')
    const at = Number(request.headers['webhook-timestamp']) * 1000
    expect(Math.abs(at - world.stage.clock.now())).toBeLessThan(minuteMs)
    const check = (secret: string, body: string) => verifyAt(at, secret, body, request.headers)
    const payload = check(hook.secret, request.body) as { type: string; data: EventView }
    expect(payload).toMatchObject({ type: 'paused', data: { accountId: 'ann', type: 'paused' } })
    expect(() => check(hook.secret, `${request.body} `)).toThrow('No matching signature found')
    expect(() => verifyAt(at + hourMs, hook.secret, request.body, request.headers)).toThrow(
      'Message timestamp too old',
    )
    const other = `whsec_${Buffer.from('another secret altogether, 32 by').toString('base64')}`
    expect(() => check(other, request.body)).toThrow('No matching signature found')
  })

  test('that fails is sent again under the same id with the same bytes', async () => {
    const hook = await addHook({ types: ['paused'] })
    world.hookStatus = 500
    await start()
    await pauseAndResume()
    await work(4 * secondMs)
    expect(await log(hook)).toMatchObject([{ state: 'pending', attempts: 1, status: 500 }])
    world.hookStatus = null
    await work(10 * secondMs)
    expect(await log(hook)).toMatchObject([{ state: 'pending', attempts: 2, status: null }])
    world.hookStatus = 204
    await work(6 * minuteMs)
    expect(await log(hook)).toMatchObject([{ state: 'delivered', attempts: 3, status: 204 }])
    expect(new Set(world.sent.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(world.sent.map(({ body }) => body)).size).toBe(1)
    await work(minuteMs)
    expect(world.sent).toHaveLength(3)
  })

  test('that is never taken is given up, and the log says why', async () => {
    world = await World.open({ server: { webhookDelaysMs: [secondMs, secondMs] } })
    const hook = await addHook({ types: ['paused'] })
    world.hookStatus = 410
    await start()
    await pauseAndResume()
    await work(10 * secondMs)
    expect(world.sent).toHaveLength(3)
    expect(await log(hook)).toMatchObject([
      { state: 'failed', attempts: 3, status: 410, detail: 'It answered with 410' },
    ])
    world.hookStatus = 200
    const [delivery] = await log(hook)
    await world.post(`/webhooks/${hook.id}/deliveries/${delivery?.id}/redeliver`)
    await work()
    expect(await log(hook)).toMatchObject([{ state: 'delivered' }])
  })

  test('is made for each event that fits, and for no other', async () => {
    await addHook({ types: ['resumed'], accountIds: ['bob'] })
    await start()
    await pauseAndResume('ann')
    await pauseAndResume('bob')
    await work()
    expect(typesSent()).toEqual(['resumed'])
  })
})

describe('the sender', () => {
  test('goes on where it was when another process takes over, and misses nothing', async () => {
    const hook = await addHook({ types: ['paused'] })
    await start()
    await pauseAndResume()
    await work()
    await world.server.stop()
    await pauseAndResume()
    await pauseAndResume()
    const second = world.another()
    second.start()
    await work(10 * secondMs)
    await second.stop()
    expect((await log(hook)).map(({ state }) => state)).toEqual([
      'delivered',
      'delivered',
      'delivered',
    ])
    expect(world.sent).toHaveLength(3)
  })

  test('what broke off between two writes is neither lost nor sent out of turn', async () => {
    const hook = await addHook({ types: ['paused'] })
    world.hookStatus = 500
    const { ledger } = world
    const whole = { ...ledger }
    let failures = 1
    ledger.deleteItem = (collection, ...rest) => {
      if (collection !== 'server-deliveries-due' || failures === 0) {
        return whole.deleteItem(collection, ...rest)
      }
      failures -= 1
      return Promise.reject(new LedgerError('busy', 'busy'))
    }
    await start()
    await pauseAndResume()
    await work(4 * secondMs)
    expect(failures).toBe(0)
    expect(world.sent).toHaveLength(1)
    world.hookStatus = 200
    await work(5 * secondMs)
    expect(await log(hook)).toMatchObject([{ state: 'delivered', attempts: 2 }])
    expect(world.sent).toHaveLength(2)
  })

  test('is one among several processes', async () => {
    await addHook({ types: ['paused'] })
    const second = world.another()
    world.server.start()
    second.start()
    await work()
    for (let count = 0; count < 5; count += 1) await pauseAndResume()
    await work(10 * secondMs)
    expect(world.sent).toHaveLength(5)
    await second.stop()
  })

  test('sends nothing of what happened before the webhook was there', async () => {
    await pauseAndResume()
    await world.stage.clock.advance(minuteMs)
    await addHook()
    await start()
    expect(world.sent).toEqual([])
  })

  test('a dead address does not hold up the others', async () => {
    world = await World.open()
    const dead = await addHook({ url: 'https://dead.example/' })
    const alive = await addHook({ url: 'https://alive.example/' })
    world.answers = (address) => (address.includes('dead') ? null : 200)
    await start()
    for (let count = 0; count < 20; count += 1) await pauseAndResume()
    await work(20 * secondMs)
    expect((await log(alive)).every(({ state }) => state === 'delivered')).toBe(true)
    expect((await log(dead)).every(({ state }) => state === 'pending')).toBe(true)
  })

  test('switches an address off after too many failures, and it can be switched on', async () => {
    world = await World.open({ server: { webhookFailures: 3 } })
    const hook = await addHook({ types: ['paused'] })
    world.hookStatus = null
    await start()
    for (let count = 0; count < 5; count += 1) await pauseAndResume()
    await work(10 * secondMs)
    const { body } = await world.get<WebhookView>(`/webhooks/${hook.id}`)
    expect(body).toMatchObject({ active: false, failures: 3 })
    const on = await world.call('PATCH', `/webhooks/${hook.id}`, { active: true })
    expect(on.body).toMatchObject({ active: true, failures: 0 })
  })
})

describe('a webhook', () => {
  test('shows its secret once and never again', async () => {
    const hook = await addHook()
    expect(hook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    for (const path of ['/webhooks', `/webhooks/${hook.id}`]) {
      expect((await world.get(path)).text).not.toContain('secret')
    }
    const stored = await world.ledger.listItems('server-webhooks', { after: null, limit: 9 })
    expect(JSON.stringify(stored)).not.toContain(hook.secret.slice(6))
  })

  test('is tried at once, and says what came of it', async () => {
    const hook = await addHook()
    const good = await world.post<DeliveryView>(`/webhooks/${hook.id}/test`)
    expect(good.body).toMatchObject({ type: 'test', state: 'delivered', status: 200, seq: null })
    world.hookStatus = null
    const bad = await world.post<DeliveryView>(`/webhooks/${hook.id}/test`)
    expect(bad.body).toMatchObject({ state: 'failed', status: null })
    expect(bad.body.detail).toContain('is not there')
  })

  test('is changed and removed', async () => {
    const hook = await addHook()
    const change = { types: ['paused'], active: false }
    const { body } = await world.call('PATCH', `/webhooks/${hook.id}`, change)
    expect(body).toMatchObject(change)
    expect((await world.call('DELETE', `/webhooks/${hook.id}`)).status).toBe(204)
    expect((await world.get(`/webhooks/${hook.id}`)).status).toBe(404)
    expect((await world.post(`/webhooks/${hook.id}/test`)).status).toBe(404)
  })

  test.each([
    [{ url: 'ftp://x.example/' }, 'url'],
    [{ url: 'not a url' }, 'url'],
    [{ url, accountIds: ['nobody'] }, 'accountIds[0]'],
    [{ url, secret: 'mine' }, 'secret'],
  ])('refuses %j', async (wish, field) => {
    const answer = await world.post('/webhooks', wish)
    expect(answer.body).toMatchObject({ status: 400, errors: [{ field }] })
  })
})

/** As a receiver does it; its clock is the one of the network here. */
function verifyAt(
  at: number,
  secret: string,
  body: string,
  headers: Readonly<Record<string, string>>,
): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}
