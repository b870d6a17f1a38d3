/** Events as programs follow them: page by page, live, and after a break. None is ever missed. */

import { beforeEach, describe, expect, test } from 'vitest'
import { minuteMs, secondMs } from '../src/core/duration.ts'
import type {
  AuditPage,
  AuditReportView,
  EventFeed,
  EventView,
} from '../src/server/schema/event.ts'
import { drained } from './builders/engine.ts'
import { EventReader } from './server/event-reader.ts'
import { World } from './server/world.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})

async function openStream(query = '', headers: Record<string, string> = {}, token?: string) {
  const secret = token ?? (await world.token('read'))
  const response = await world.raw(`/api/v1/events${query}`, {
    headers: { accept: 'text/event-stream', authorization: `Bearer ${secret}`, ...headers },
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  return new EventReader(response, world.stage.clock)
}

/** Lets something happen that writes an event. */
async function happen(): Promise<void> {
  const { ledger } = world
  const [post] = await world.stage.posts()
  if (post === undefined) throw new Error('There is no post')
  await ledger.setNeverTouch(post.id, !post.neverTouch)
}

async function allSeqs(): Promise<readonly number[]> {
  const { events } = await world.ledger.readEvents(null, {}, 10_000)
  return events.map(({ seq }) => seq)
}

describe('the feed', () => {
  test('goes from the first event to the last, also with what happens meanwhile', async () => {
    await world.awaiting()
    const seen: number[] = []
    let query = '?limit=4'
    for (let page = 0; page < 200; page += 1) {
      const { body } = await world.get<EventFeed>(`/events${query}`)
      seen.push(...body.items.map(({ seq }) => seq))
      if (body.items.length === 0) break
      if (page === 1) await happen()
      query = `?limit=4&cursor=${body.cursor}`
    }
    expect(seen).toEqual(await allSeqs())
  })

  test('refuses a cursor that is none', async () => {
    for (const cursor of ['x', '1:2', '-1', '1e9', '%00']) {
      const answer = await world.get(`/events?cursor=${cursor}`)
      expect(answer.body).toMatchObject({ status: 400, errors: [{ field: 'cursor' }] })
    }
  })
})

describe('a stream', () => {
  test('tells what happens from now on, and says where it is', async () => {
    await world.awaiting()
    const stream = await openStream()
    expect(await stream.next()).toMatchObject({ event: 'ready', data: {} })
    await happen()
    const message = await stream.next()
    expect(message).toMatchObject({ event: 'never_touch', data: { type: 'never_touch' } })
    expect(message.data).toMatchObject({ sentence: 'The post is never to be touched.' })
    await stream.close()
  })

  test('goes on after a break with the very next event, whenever it broke', async () => {
    await world.awaiting()
    const before = (await allSeqs()).length
    const stream = await openStream()
    const { id } = await stream.next()
    for (let count = 0; count < 5; count += 1) await happen()
    const seen: number[] = []
    let lastId = id
    for (let count = 0; count < 2; count += 1) {
      const message = await stream.next()
      seen.push((message.data as EventView).seq)
      lastId = message.id
    }
    await stream.close()
    for (let count = 0; count < 300; count += 1) await happen()
    const again = await openStream('', { 'last-event-id': lastId })
    await again.next()
    while (new Set(seen).size < 305) seen.push(((await again.next()).data as EventView).seq)
    await again.close()
    expect([...new Set(seen)]).toEqual((await allSeqs()).slice(before))
  })

  test('a break before the first event misses nothing either', async () => {
    await world.awaiting()
    const stream = await openStream()
    const { id } = await stream.next()
    await stream.close()
    await happen()
    const again = await openStream('', { 'last-event-id': id })
    expect((await again.next()).event).toBe('ready')
    expect((await again.next()).event).toBe('never_touch')
    await again.close()
  })

  test('a position of another ledger begins anew instead of failing for ever', async () => {
    await world.awaiting()
    for (const lastId of ['999999', '5:5', 'nonsense']) {
      const stream = await openStream('', { 'last-event-id': lastId })
      expect(await stream.next()).toMatchObject({ event: 'ready' })
      await happen()
      expect((await stream.next()).event).toBe('never_touch')
      await stream.close()
    }
  })

  test('keeps to the types that were asked for', async () => {
    await world.awaiting()
    const stream = await openStream('?type=paused&type=resumed')
    await stream.next()
    await happen()
    await world.post('/pauses', { scope: 'everything' })
    expect((await stream.next()).event).toBe('paused')
    await stream.close()
  })

  test('shows a limited token nothing of another account', async () => {
    await world.awaiting()
    const token = await world.token('read', [world.bob])
    const stream = await openStream('', {}, token)
    await stream.next()
    await happen()
    await world.post('/pauses', { scope: 'everything' })
    await world.post('/pauses', { scope: 'account', target: 'bob' })
    const message = await stream.next()
    expect(message).toMatchObject({ event: 'paused', data: { accountId: 'bob' } })
    await stream.close()
  })

  test('gives a sign of life while nothing happens', async () => {
    const stream = await openStream()
    await stream.next()
    const comments = stream.nextComment()
    await world.stage.clock.advance(16 * secondMs)
    expect(await comments).toBe(': still here')
    await stream.close()
  })

  test('ends when the server stops, and says so', async () => {
    const stream = await openStream()
    await stream.next()
    const stopped = world.server.stop()
    expect((await stream.next()).event).toBe('bye')
    expect(await stream.isOver()).toBe(true)
    await stopped
  })

  test('too many are refused, and a closed one makes room', async () => {
    world = await World.open({ server: { streams: 2 } })
    const streams = [await openStream(), await openStream()]
    const token = await world.token('read')
    const headers = { accept: 'text/event-stream' }
    const third = await world.get('/events', { token, headers })
    expect(third.status).toBe(429)
    await streams[0]?.close()
    await drained()
    const next = await openStream()
    await next.close()
    await streams[1]?.close()
  })
})

describe('the audit log', () => {
  test('is newest first, in sentences, and can be narrowed', async () => {
    const row = await world.awaiting()
    await world.post('/pauses', { scope: 'everything' })
    const { body } = await world.get<AuditPage>('/audit?limit=3')
    expect(body.items[0]).toMatchObject({ sentence: 'Sending was paused for everything.' })
    const about = await world.get<AuditPage>(`/audit?actionId=${row.id}`)
    expect(about.body.items.map(({ type }) => type)).toContain('action_planned')
    expect(about.body.items.every(({ actionId }) => actionId === row.id)).toBe(true)
    const typed = await world.get<AuditPage>('/audit?type=paused')
    expect(typed.body.items.map(({ type }) => type)).toEqual(['paused'])
  })

  test('is verified, and a change to the past is found', async () => {
    await world.awaiting()
    await world.ledger.seal(1000)
    const sound = await world.post<AuditReportView>('/audit/verify')
    expect(sound.body).toMatchObject({ problems: [], unsealed: 0 })
    world.stage.store.eventLog.damageEvent(2, (event) => ({ ...event, at: event.at + minuteMs }))
    const damaged = await world.post<AuditReportView>('/audit/verify')
    expect(damaged.body.problems).toEqual([{ kind: 'changed', number: 2, seq: 2 }])
  })
})

describe('an export', () => {
  test('holds every row, as lines of JSON or as CSV', async () => {
    await world.awaiting()
    await world.awaiting('bob')
    for (const [kind, count] of [
      ['posts', (await world.stage.posts()).length],
      ['actions', (await world.stage.actions()).length],
      ['events', (await allSeqs()).length],
    ] as const) {
      const json = await world.get(`/export/${kind}`)
      const lines = json.text.trim().split('\n')
      expect(lines).toHaveLength(count)
      for (const line of lines) JSON.parse(line)
      const csv = await world.get(`/export/${kind}?format=csv`)
      expect(csv.headers.get('content-type')).toContain('text/csv')
      expect(csv.text.trim().split('\r\n')).toHaveLength(count + 1)
    }
    const samples = await world.get('/export/samples?accountId=ann')
    expect(samples.text).toContain('"engagements":0')
  })

  test('a cell that a spreadsheet would run is disarmed, and quotes are kept', async () => {
    world.stage.publish('=HYPERLINK("https://evil.example")')
    await world.pass(minuteMs)
    const { text } = await world.get('/export/posts?format=csv')
    expect(text).toContain(`"'=HYPERLINK(""https://evil.example"")"`)
  })
})
