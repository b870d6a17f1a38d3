/** How it behaves as a server: headers, limits, health, files, repeats, and where it binds. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { minuteMs } from '../src/core/duration.ts'
import { LedgerError } from '../src/ledger/index.ts'
import { listen } from '../src/server/listen.ts'
import type { NewTokenView } from '../src/server/schema/session.ts'
import type { SystemView } from '../src/server/schema/overview.ts'
import { systemClock } from '../src/system.ts'
import { scratchFolder } from './server/scratch.ts'
import { origin, World } from './server/world.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})

describe('every answer', () => {
  test.each(['/', '/healthz', '/api/v1/session', '/api/v1/posts', '/api/v1/nothing'])(
    'of %s keeps the browser from guessing, framing and loading from elsewhere',
    async (path) => {
      const { headers } = await world.raw(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('cache-control')).toBe('no-store')
    },
  )

  test('another site’s question before a request gets no leave', async () => {
    const response = await world.raw('/api/v1/posts', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
    })
    expect(response.status).toBe(404)
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('limits', () => {
  test('a name that is not its own is turned away: someone may have pointed it here', async () => {
    const ask = (url: string) => world.server.fetch(new Request(url))
    expect((await ask('http://evil.example/api/v1/session')).status).toBe(421)
    for (const host of ['localhost', '127.0.0.1', '[::1]']) {
      expect((await ask(`http://${host}:4000/api/v1/session`)).status).toBe(200)
    }
    world = await World.open({ server: { publicUrl: 'https://wind.example', hosts: ['10.0.0.7'] } })
    expect((await ask('http://wind.example/api/v1/session')).status).toBe(200)
    expect((await ask('http://10.0.0.7/api/v1/session')).status).toBe(200)
    expect((await ask('http://10.0.0.8/api/v1/session')).status).toBe(421)
  })

  test('a large body is refused, whether or not it says how large it is', async () => {
    world = await World.open({ server: { bodyBytes: 1000 } })
    const big = JSON.stringify({ samples: 'x'.repeat(2000) })
    const headers = {
      authorization: `Bearer ${await world.token('admin')}`,
      'content-type': 'application/json',
    }
    const known = await world.raw('/api/v1/samples', { method: 'POST', headers, body: big })
    expect(known.status).toBe(413)
    const body = ReadableStream.from([new TextEncoder().encode(big)])
    const init = { method: 'POST', headers, body, duplex: 'half' as const }
    expect((await world.raw('/api/v1/samples', init)).status).toBe(413)
  })

  test('what is not JSON is refused', async () => {
    const call = async (type: string, body: string) => {
      const token = await world.token('admin')
      const headers = { authorization: `Bearer ${token}`, 'content-type': type }
      return (await world.raw('/api/v1/samples', { method: 'POST', headers, body })).status
    }
    expect(await call('text/plain', '{}')).toBe(415)
    expect(await call('application/x-www-form-urlencoded', 'a=1')).toBe(415)
    expect(await call('application/json', '{')).toBe(400)
    expect(await call('application/json', '')).toBe(400)
    expect(await call('application/json', '[]')).toBe(400)
    expect(await call('application/json', 'null')).toBe(400)
  })

  test('too many requests have to wait, and then go on', async () => {
    world = await World.open({ server: { requestsPerMinute: 10 } })
    const ask = async () => (await world.raw('/api/v1/session')).status
    const statuses = []
    for (let count = 0; count < 12; count += 1) statuses.push(await ask())
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429])
    expect((await world.raw('/healthz')).status).toBe(200)
    await world.stage.clock.advance(minuteMs)
    expect(await ask()).toBe(200)
  })
})

describe('a repeated request', () => {
  const key = (value: string) => ({ headers: { 'idempotency-key': value } })

  test('gets the first answer and does nothing again', async () => {
    const wish = { kind: 'external', handle: 'tool' }
    const first = await world.post('/accounts', wish, key('a'))
    const again = await world.post('/accounts', wish, key('a'))
    expect(again.status).toBe(200)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
    expect(first.headers.get('idempotency-replayed')).toBeNull()
    expect(await world.ledger.listAccounts()).toHaveLength(3)
  })

  test('with another content or on another path is refused', async () => {
    const wish = { kind: 'external', handle: 'tool' }
    await world.post('/accounts', wish, key('a'))
    expect((await world.post('/accounts', { ...wish, handle: 'x' }, key('a'))).status).toBe(409)
    expect((await world.post('/pauses', wish, key('a'))).status).toBe(409)
  })

  test('of two at the same time one is done', async () => {
    const wish = { kind: 'external', handle: 'tool' }
    await world.token('admin')
    const both = await Promise.all([1, 2].map(() => world.post('/accounts', wish, key('a'))))
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
    expect(await world.ledger.listAccounts()).toHaveLength(3)
  })

  test('of another program under the same key is another request', async () => {
    const wish = { kind: 'external', handle: 'tool' }
    await world.post('/accounts', wish, key('a'))
    const other = await world.server.addToken({
      name: 'other',
      scope: 'admin',
      accountIds: null,
      expiresAt: null,
    })
    const second = { ...wish, handle: 'other' }
    const as = { token: other.reveal(), ...key('a') }
    expect((await world.post('/accounts', second, as)).body).toMatchObject({ handle: 'other' })
  })

  test('that was refused may be corrected under the same key', async () => {
    const bad = await world.post('/accounts', { kind: 'external' }, key('a'))
    expect(bad.status).toBe(400)
    const wish = { kind: 'external', handle: 'tool' }
    expect((await world.post('/accounts', wish, key('a'))).status).toBe(200)
  })

  test('whose answer held a secret is not answered again, and the secret is nowhere', async () => {
    const wish = { name: 'ci', scope: 'read' }
    const first = await world.post<NewTokenView>('/tokens', wish, key('a'))
    expect((await world.post('/tokens', wish, key('a'))).status).toBe(409)
    const kept = await world.ledger.listItems('server-idempotency', { after: null, limit: 9 })
    expect(JSON.stringify(kept)).not.toContain(first.body.secret.split('_')[2])
  })

  test('after a day is a new one', async () => {
    await world.post('/pauses', { scope: 'everything' }, key('a'))
    await world.stage.clock.advance(25 * 60 * minuteMs)
    const later = await world.post('/pauses', { scope: 'everything' }, key('a'))
    expect(later.headers.get('idempotency-replayed')).toBeNull()
  })
})

describe('health', () => {
  test('the process is well while it answers, and ready while the engine turns', async () => {
    expect((await world.raw('/healthz')).status).toBe(200)
    world.engine = { lastTurnAt: world.stage.clock.now(), problems: [] }
    expect((await world.raw('/readyz')).status).toBe(200)
    await world.stage.clock.advance(6 * minuteMs)
    const stuck = await world.raw('/readyz')
    expect(stuck.status).toBe(503)
    expect(await stuck.json()).toEqual({ status: 'not_ready', engine: 'stuck' })
    expect((await world.raw('/healthz')).status).toBe(200)
  })

  test('an engine elsewhere is judged by what is overdue', async () => {
    await world.pass(minuteMs)
    expect((await world.raw('/readyz')).status).toBe(200)
    await world.stage.clock.advance(60 * minuteMs)
    expect((await world.raw('/readyz')).status).toBe(503)
    const { body } = await world.get<SystemView>('/system')
    expect(body.engine.state).toBe('stuck')
    expect(body.engine.overdueMs).toBeGreaterThan(5 * minuteMs)
    await world.pass(minuteMs)
    expect((await world.raw('/readyz')).status).toBe(200)
  })

  test('a ledger that is away is a 503 that says so, and nothing leaks', async () => {
    const { ledger } = world
    ledger.pagePosts = () => Promise.reject(new LedgerError('unavailable', 'disk /data is full'))
    const answer = await world.get('/posts')
    expect(answer.status).toBe(503)
    expect(answer.text).not.toContain('/data')
    expect(answer.headers.get('retry-after')).toBe('5')
    ledger.now = () => Promise.reject(new LedgerError('unavailable', 'disk /data is full'))
    expect((await world.raw('/readyz')).status).toBe(503)
  })

  test('a defect is a 500 without its words, and the log has them', async () => {
    const { ledger } = world
    ledger.pagePosts = () => Promise.reject(new Error('at /secret/path'))
    const answer = await world.get('/posts')
    expect(answer.status).toBe(500)
    expect(answer.text).not.toContain('/secret')
    const id = answer.headers.get('x-request-id') ?? 'none'
    expect(world.logged.join()).toContain(id)
  })

  test('metrics tell of requests, posts and readiness', async () => {
    await world.awaiting()
    await world.get('/posts')
    const { text, headers } = await world.get('/api/../metrics')
    expect(headers.get('content-type')).toContain('text/plain')
    expect(text).toContain('secondwind_ledger{what="awaitingApproval"} 1')
    expect(text).toMatch(
      /secondwind_http_request_seconds_count\{method="GET",route="\/api\/v1\/posts"/,
    )
    expect(text).toContain('secondwind_ready 1')
    expect((await world.raw('/metrics')).status).toBe(401)
  })
})

describe('the dashboard’s files', () => {
  beforeEach(async () => {
    const folder = scratchFolder()
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Second Wind</title>')
    writeFileSync(join(folder, 'assets', 'app-1a2b.js'), 'console.log(1)')
    writeFileSync(join(folder, 'notes.map'), 'not served')
    world = await World.open({ webFolder: folder })
  })

  test('are served packed where possible, and kept where they never change', async () => {
    const page = await world.raw('/', { headers: { 'accept-encoding': 'gzip' } })
    expect(page.headers.get('content-encoding')).toBe('gzip')
    expect(page.headers.get('cache-control')).toBe('no-cache')
    const script = await world.raw('/assets/app-1a2b.js')
    expect(script.headers.get('content-type')).toContain('javascript')
    expect(script.headers.get('cache-control')).toContain('immutable')
    expect(await script.text()).toBe('console.log(1)')
    const etag = page.headers.get('etag') ?? ''
    expect((await world.raw('/', { headers: { 'if-none-match': etag } })).status).toBe(304)
  })

  test('every screen is the one page, and a missing file is a 404', async () => {
    for (const path of ['/posts', '/posts/abc', '/sign-in/callback?code=1']) {
      expect(await (await world.raw(path)).text()).toContain('<title>Second Wind')
    }
    for (const path of ['/assets/none.js', '/notes.map', '/../package.json', '/%2e%2e/x.txt']) {
      expect((await world.raw(path)).status).toBe(404)
    }
    expect((await world.raw('/posts', { method: 'POST' })).status).toBe(404)
  })
})

describe('binding', () => {
  test('a write without a body is answered over the wire as well', async () => {
    await using listening = await listen(world.server, { port: 0, clock: systemClock })
    await world.ledger.pause({
      scope: 'everything',
      target: '',
      reason: 'a test',
      until: null,
      by: 'ann',
    })
    const { status } = await fetch(`${listening.url}/api/v1/pauses?scope=everything`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${await world.token('admin')}` },
    })
    expect(status).toBe(204)
    expect(await world.ledger.listPauses()).toEqual([])
  })

  test('on loopback it answers over a real socket and stops cleanly', async () => {
    const listening = await listen(world.server, { port: 0, clock: systemClock })
    const response = await fetch(`${listening.url}/healthz`)
    expect(await response.json()).toEqual({ status: 'ok' })
    await listening.stop()
    await expect(fetch(`${listening.url}/healthz`)).rejects.toThrow('fetch failed')
  })

  test('an open stream does not keep it from stopping', async () => {
    const listening = await listen(world.server, { port: 0, clock: systemClock })
    const token = await world.token('read')
    const response = await fetch(`${listening.url}/api/v1/events`, {
      headers: { accept: 'text/event-stream', authorization: `Bearer ${token}` },
    })
    const text = response.text()
    await listening.stop()
    expect(await text).toContain('event: bye')
  })

  test('wider than loopback it is refused until there is a password or a token', async () => {
    const wide = { host: '0.0.0.0', port: 0, clock: systemClock }
    await expect(listen(world.server, wide)).rejects.toThrow('host: 0.0.0.0 can be reached')
    await world.token('read')
    expect(await world.server.isProtected()).toBe(true)
  })

  test('a port that is taken is named', async () => {
    const first = await listen(world.server, { port: 0, clock: systemClock })
    const second = listen(world.another(), { port: first.port, clock: systemClock })
    await expect(second).rejects.toThrow(`port: ${first.port} is taken`)
    await first.stop()
  })
})

test('nothing secret is ever logged or answered', async () => {
  const link = (await world.server.setUpLink(origin)) ?? ''
  const token = new URL(link).hash.replace('#token=', '')
  const headers = { 'content-type': 'application/json', origin }
  const body = JSON.stringify({ token, password: 'hunter2hunter2' })
  await world.raw('/api/v1/setup', { method: 'POST', headers, body })
  const { ledger } = world
  ledger.listAccounts = () => Promise.reject(new Error('broken'))
  await world.post('/accounts', {
    kind: 'direct',
    platform: world.stage.network.platform.name,
    signIn: 'app-password',
    values: { handle: 'cat', password: 'secret' },
  })
  const logged = world.logged.join('\n')
  expect(logged).toContain('broken')
  for (const secret of ['hunter2', token, await world.token('admin')]) {
    expect(logged).not.toContain(secret)
  }
})
