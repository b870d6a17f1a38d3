/** Who gets in, and how: set-up link, password, cookie, token. Strangers stay outside. */

import { beforeEach, describe, expect, test } from 'vitest'
import { dayMs, hourMs, minuteMs } from '../src/core/duration.ts'
import { Secret } from '../src/core/secret.ts'
import type { NewTokenView } from '../src/server/schema/session.ts'
import { origin, password, World } from './server/world.ts'

let world: World

beforeEach(async () => {
  world = await World.open()
})

const sameOrigin = { 'content-type': 'application/json', origin, 'sec-fetch-site': 'same-origin' }

function send(path: string, body: unknown, headers: Record<string, string> = sameOrigin) {
  return world.raw(`/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function setUpToken(): Promise<string> {
  const link = await world.server.setUpLink(origin)
  return new URL(link ?? '').hash.replace('#token=', '')
}

/** Sets it up and returns the cookie that the browser got. */
async function setUp(): Promise<string> {
  const response = await send('/setup', { token: await setUpToken(), password })
  expect(response.status).toBe(200)
  return cookieOf(response)
}

function cookieOf(response: Response): string {
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

async function actorWith(cookie: string): Promise<unknown> {
  const response = await world.raw('/api/v1/session', { headers: { cookie } })
  return ((await response.json()) as { actor: unknown }).actor
}

describe('set-up', () => {
  test('before it, anyone is told that it is needed and nothing else', async () => {
    const response = await world.raw('/api/v1/session')
    expect(await response.json()).toEqual({
      mode: 'live',
      needsSetUp: true,
      version: '0.0.0-test',
      actor: null,
    })
  })

  test('the link sets the password and signs in, once', async () => {
    const token = await setUpToken()
    const first = await send('/setup', { token, password })
    expect(first.status).toBe(200)
    expect(await actorWith(cookieOf(first))).toEqual({
      kind: 'owner',
      name: 'owner',
      scope: 'admin',
      accountIds: null,
    })
    const again = await send('/setup', { token, password: 'another long password' })
    expect(again.status).toBe(409)
    expect(await world.server.setUpLink(origin)).toBeNull()
  })

  test('of two at the same time one gets in', async () => {
    const token = await setUpToken()
    const both = await Promise.all([
      send('/setup', { token, password }),
      send('/setup', { token, password: 'another long password' }),
    ])
    expect(both.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409])
  })

  test('a wrong token, an old link and a short password are refused', async () => {
    const old = await setUpToken()
    await setUpToken()
    expect((await send('/setup', { token: old, password })).status).toBe(401)
    expect((await send('/setup', { token: 'x', password })).status).toBe(401)
    const short = await send('/setup', { token: await setUpToken(), password: 'short' })
    expect(short.status).toBe(400)
    expect(await short.json()).toMatchObject({ errors: [{ field: 'password' }] })
  })

  test('the link runs out', async () => {
    const token = await setUpToken()
    await world.stage.clock.advance(8 * dayMs)
    expect((await send('/setup', { token, password })).status).toBe(401)
  })

  test('a token in the link never reaches a server: it stands behind the #', async () => {
    const link = new URL((await world.server.setUpLink(`${origin}:8080`)) ?? '')
    expect(link.origin).toBe(`${origin}:8080`)
    expect(link.search).toBe('')
    expect(link.hash).toMatch(/^#token=[\w-]{40,}$/)
  })
})

test('a password from the configuration is set once, and never replaced by it', async () => {
  await world.server.setFirstPassword(new Secret(password))
  await world.server.setFirstPassword(new Secret('a later password'))
  expect((await send('/session', { kind: 'password', password })).status).toBe(200)
  const short = world.server.setFirstPassword(new Secret('short'))
  await expect(short).rejects.toThrow('password: must have at least 12')
})

describe('a session', () => {
  test('opens with the password and with no other', async () => {
    await setUp()
    expect((await send('/session', { kind: 'password', password: 'wrong' })).status).toBe(401)
    const right = await send('/session', { kind: 'password', password })
    expect(right.status).toBe(200)
    expect(await actorWith(cookieOf(right))).toMatchObject({ kind: 'owner' })
  })

  test('is a cookie that scripts and other sites cannot use', async () => {
    await setUp()
    const response = await send('/session', { kind: 'password', password })
    const cookie = response.headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^secondwind=[\w-]{43}; /)
    expect(cookie).toContain('HttpOnly')
    expect(cookie).toContain('SameSite=Strict')
    expect(cookie).not.toContain('Secure')
  })

  test('over https it is also bound to https and to the host', async () => {
    world = await World.open({ server: { publicUrl: 'https://wind.example' } })
    const link = (await world.server.setUpLink('https://wind.example')) ?? ''
    const token = new URL(link).hash.replace('#token=', '')
    const headers = { ...sameOrigin, origin: 'https://wind.example' }
    const response = await send('/setup', { token, password }, headers)
    expect(response.status).toBe(200)
    expect(response.headers.get('set-cookie')).toMatch(/^__Host-secondwind=.*Secure/)
    expect(response.headers.get('strict-transport-security')).toContain('max-age')
  })

  test('ends on signing out, after its time, and when the password changes', async () => {
    const first = await setUp()
    const second = cookieOf(await send('/session', { kind: 'password', password }))
    const out = await world.raw('/api/v1/session', {
      method: 'DELETE',
      headers: { ...sameOrigin, cookie: second },
    })
    expect(out.status).toBe(204)
    expect(await actorWith(second)).toBeNull()
    expect(await actorWith(first)).not.toBeNull()

    const elsewhere = cookieOf(await send('/session', { kind: 'password', password }))
    const changed = await world.raw('/api/v1/session/password', {
      method: 'PUT',
      headers: { ...sameOrigin, cookie: first },
      body: JSON.stringify({ current: password, next: 'an even longer password' }),
    })
    expect(changed.status).toBe(204)
    expect(await actorWith(first)).toBeNull()
    expect(await actorWith(elsewhere)).toBeNull()
    const fresh = cookieOf(changed)
    expect(await actorWith(fresh)).not.toBeNull()

    await world.stage.clock.advance(31 * dayMs)
    expect(await actorWith(fresh)).toBeNull()
  })

  test('the password is changed only by those who know it', async () => {
    const cookie = await setUp()
    const response = await world.raw('/api/v1/session/password', {
      method: 'PUT',
      headers: { ...sameOrigin, cookie },
      body: JSON.stringify({ current: 'a guess', next: 'an even longer password' }),
    })
    expect(response.status).toBe(401)
    expect((await send('/session', { kind: 'password', password })).status).toBe(200)
  })

  test('wrong guesses make the address wait, and right ones do not', async () => {
    await setUp()
    const guess = () => send('/session', { kind: 'password', password: 'a guess' })
    for (let count = 0; count < 5; count += 1) expect((await guess()).status).toBe(401)
    const refused = await send('/session', { kind: 'password', password })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    await world.stage.clock.advance(5 * minuteMs)
    expect((await send('/session', { kind: 'password', password })).status).toBe(200)
    for (let count = 0; count < 20; count += 1) {
      expect((await send('/session', { kind: 'password', password })).status).toBe(200)
    }
  })

  test('guesses that come all at once do not slip through', async () => {
    await setUp()
    const guesses = Array.from({ length: 30 }, () =>
      send('/session', { kind: 'password', password: 'a guess' }),
    )
    const statuses = (await Promise.all(guesses)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(25)
  })
})

describe('a link that signs in', () => {
  test('works once on a live server', async () => {
    const token = new URL(await world.server.signInLink(origin)).hash.replace('#token=', '')
    expect((await send('/session', { kind: 'link', token })).status).toBe(200)
    expect((await send('/session', { kind: 'link', token })).status).toBe(401)
  })

  test('runs out', async () => {
    const token = new URL(await world.server.signInLink(origin)).hash.replace('#token=', '')
    await world.stage.clock.advance(2 * hourMs)
    expect((await send('/session', { kind: 'link', token })).status).toBe(401)
  })

  test('works as often as it is opened in a demo, which needs no set-up', async () => {
    world = await World.open({ runs: 'demo' })
    const token = new URL(await world.server.signInLink(origin)).hash.replace('#token=', '')
    // Its ledger runs fast, and those who watch it do not.
    await world.stage.clock.advance(365 * dayMs)
    for (const _ of [1, 2, 3]) {
      const response = await send('/session', { kind: 'link', token })
      expect(await response.json()).toMatchObject({ mode: 'demo', needsSetUp: false })
    }
  })
})

describe('a change from a browser', () => {
  test.each([
    ['of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['of a sibling', { origin: 'http://localhost:9999', 'sec-fetch-site': 'same-site' }],
    ['that hides its origin', { origin: 'null' }],
    ['without any sign of where it comes from', {}],
    ['whose signs contradict each other', { origin, 'sec-fetch-site': 'cross-site' }],
  ])('by a page %s is refused', async (_, headers) => {
    const cookie = await setUp()
    const { ann } = world
    const response = await world.raw(`/api/v1/accounts/${ann}`, {
      method: 'PATCH',
      headers: { 'content-type': 'application/json', cookie, ...headers } as Record<string, string>,
      body: JSON.stringify({ mode: 'auto' }),
    })
    expect(response.status).toBe(403)
    expect((await world.ledger.getAccount(ann))?.mode).toBe('approve')
  })

  test('by a page of its own is taken', async () => {
    const cookie = await setUp()
    const response = await world.raw(`/api/v1/accounts/${world.ann}`, {
      method: 'PATCH',
      headers: { ...sameOrigin, cookie },
      body: JSON.stringify({ mode: 'watch' }),
    })
    expect(response.status).toBe(200)
  })

  test('signing in is not forced on a browser from elsewhere', async () => {
    await setUp()
    const headers = { 'content-type': 'application/json', origin: 'https://evil.example' }
    const response = await send('/session', { kind: 'password', password }, headers)
    expect(response.status).toBe(403)
    expect(response.headers.get('set-cookie')).toBeNull()
  })
})

describe('a token', () => {
  test('is shown once and stored as a hash', async () => {
    const { body } = await world.post<NewTokenView>('/tokens', { name: 'ci', scope: 'read' })
    const { secret, id } = body
    expect(secret).toMatch(/^sw_[0-9a-f]{32}_[\w-]{43}$/)
    const listed = await world.get('/tokens')
    expect(listed.text).toContain(id)
    expect(listed.text).not.toContain(secret.split('_')[2])
    const stored = await world.ledger.listItems('server-tokens', { after: null, limit: 50 })
    expect(JSON.stringify(stored)).not.toContain(secret.split('_')[2])
    expect((await world.get('/overview', { token: secret })).status).toBe(200)
  })

  test('does not work once it was revoked, has expired or is changed by a letter', async () => {
    const now = await world.ledger.now()
    const expiresAt = new Date(now + hourMs).toISOString()
    const wish = { name: 'ci', scope: 'read', expiresAt }
    const { secret, id } = (await world.post<NewTokenView>('/tokens', wish)).body
    const wrong = `${secret.slice(0, -1)}${secret.endsWith('A') ? 'B' : 'A'}`
    expect((await world.get('/overview', { token: wrong })).status).toBe(401)
    expect((await world.get('/overview', { token: secret })).status).toBe(200)
    await world.stage.clock.advance(2 * hourMs)
    expect((await world.get('/overview', { token: secret })).status).toBe(401)

    const other = await world.post<NewTokenView>('/tokens', { name: 'ci', scope: 'read' })
    const { secret: second, id: otherId } = other.body
    expect((await world.call('DELETE', `/tokens/${otherId}`)).status).toBe(204)
    expect((await world.get('/overview', { token: second })).status).toBe(401)
    expect((await world.call('DELETE', `/tokens/${id}`)).status).toBe(404)
  })

  test('a wrong token is an error even beside a good cookie', async () => {
    const cookie = await setUp()
    const answer = await world.get('/overview', { token: 'sw_x_y', headers: { cookie } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
  })

  test('for an account that is not there is refused', async () => {
    const answer = await world.post('/tokens', { name: 'x', scope: 'read', accountIds: ['nobody'] })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({ errors: [{ field: 'accountIds[0]' }] })
  })
})
