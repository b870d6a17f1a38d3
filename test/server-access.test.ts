/**
 * Who may do what, for every route of the API's own description: nobody without signing in, each
 * scope only what it includes, and a token of one account nothing of another.
 */

import { beforeAll, describe, expect, test } from 'vitest'
import { hourMs } from '../src/core/duration.ts'
import { scopes } from '../src/server/schema/session.ts'
import { goodBody } from './server/good-bodies.ts'
import { fillPath, readDescription } from './server/requests.ts'
import type { Operation } from './server/requests.ts'
import { World } from './server/world.ts'

const world = await World.open()
const { operations } = readDescription(world)

/** Ids of things of Ann's and Bob's, by the name of the path's parameter. */
const things: Record<'ann' | 'bob', { post: string; action: string }> = {
  ann: { post: '', action: '' },
  bob: { post: '', action: '' },
}

beforeAll(async () => {
  for (const handle of ['ann', 'bob'] as const) {
    world.stage.publish(`Words of ${handle} alone.`, {}, handle)
  }
  await world.pass(3 * hourMs)
  for (const handle of ['ann', 'bob'] as const) {
    const action = (await world.stage.actions()).find(({ accountId }) => accountId === handle)
    if (action === undefined) throw new Error(`Nothing was planned for ${handle}`)
    things[handle] = { post: action.postId, action: action.id }
  }
})

/** A path about something of an account. */
function pathOf({ path }: Operation, handle: 'ann' | 'bob'): string {
  const { post, action } = things[handle]
  const resource = path.split('/')[3]
  const id = { posts: post, actions: action, accounts: handle }[resource ?? ''] ?? 'something'
  return fillPath(path, { id, accountId: handle, kind: 'posts', deliveryId: 'x' })
}

/** What would do something to Ann's things if it were allowed. */
async function bodyAboutAnn(operation: Operation): Promise<unknown> {
  const { post: postId, action: id } = things.ann
  const action = await world.stage.action(id)
  return goodBody(world, operation, { accountId: 'ann', postId, action })
}

const named = operations.map(
  (operation) => [`${operation.method} ${operation.path}`, operation] as const,
)
const closed = named.filter(([, { scope }]) => scope !== null)

test('the routes that need no sign-in are these and no more', () => {
  const open = named.filter(([, { scope }]) => scope === null).map(([name]) => name)
  expect(open.toSorted()).toEqual([
    'DELETE /api/v1/session',
    'GET /api/v1/session',
    'POST /api/v1/session',
    'POST /api/v1/setup',
  ])
})

test('beside them, networks read who this program is, where it is reached over https', async () => {
  const path = '/oauth/simulated.json'
  const https = await World.open({ server: { publicUrl: 'https://wind.example' } })
  const response = await https.raw(path)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toEqual({
    redirect_uris: ['https://wind.example/sign-in/callback'],
  })
  for (const publicUrl of [null, 'http://wind.example']) {
    const other = await World.open({ server: { publicUrl } })
    expect((await other.raw(path)).status).toBe(404)
  }
})

test('every operation has a name of its own, for those who make clients from it', () => {
  const names = operations.map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names).toContain('postActionsByIdApprove')
})

describe.each(closed)('%s', (_, operation) => {
  const { method, scope } = operation
  const needed = scopes.indexOf(scope ?? 'admin')

  test('tells nobody anything who is not signed in', async () => {
    const path = pathOf(operation, 'ann')
    const answer = await world.call(method, path, method === 'GET' ? undefined : {}, {
      token: null,
    })
    // A change that does not even say where it comes from is refused before that.
    expect(answer.status).toBe(method === 'GET' ? 401 : 403)
    const headers = { origin: 'http://localhost' }
    const same = await world.call(method, path, undefined, { token: null, headers })
    expect(same.status).toBe(401)
    expect(same.text).not.toContain('Words of')
  })

  test.each(scopes.slice(0, needed))('is closed to the scope %s', async (lower) => {
    const token = await world.token(lower)
    const answer = await world.call(method, pathOf(operation, 'ann'), undefined, { token })
    expect(answer.status).toBe(403)
  })

  test('is open to its own scope', async () => {
    const token = await world.token(scopes[needed] ?? 'admin')
    const path = pathOf(operation, 'ann')
    // Without a body a change cannot be made, but it is not for lack of rights that it fails.
    const answer = await world.call(method, `${path}?x=`, method === 'GET' ? undefined : '', {
      token,
    })
    const isAboutPerson = operation.path.endsWith('/session/password')
    expect([401, ...(isAboutPerson ? [] : [403])]).not.toContain(answer.status)
  })

  test('shows a token of Bob’s nothing of Ann’s', async () => {
    const token = await world.token('admin', [world.bob])
    const before = await world.ledger.readEvents(null, {}, 10_000)
    const body = method === 'GET' ? undefined : await bodyAboutAnn(operation)
    const answer = await world.call(method, pathOf(operation, 'ann'), body, { token })
    expect(answer.text).not.toContain('Words of ann')
    expect(answer.text).not.toMatch(/"(accountId|handle|id)":"ann"/)
    const isAboutOne = /\{(id|accountId)\}/.test(operation.path)
    expect(isAboutOne ? [400, 403, 404] : [answer.status]).toContain(answer.status)
    const after = await world.ledger.readEvents(before.cursor, {}, 100)
    expect(after.events.filter(({ accountId }) => accountId === 'ann')).toEqual([])
  })
})

test('a limited token cannot get itself more than it has', async () => {
  const token = await world.token('admin', [world.bob])
  const attempts = [
    ['GET', '/tokens', undefined],
    ['POST', '/tokens', { name: 'more', scope: 'admin' }],
    ['DELETE', '/tokens/x', undefined],
    ['POST', '/webhooks', { url: 'https://hooks.example/' }],
    ['POST', '/policies', { policy: { ...world.stage.policy, version: 9 } }],
    ['POST', '/accounts', { kind: 'external', handle: 'mine' }],
    ['POST', '/pauses', { scope: 'everything' }],
    ['DELETE', '/pauses?scope=everything', undefined],
    ['POST', '/audit/verify', undefined],
    ['GET', '/system', undefined],
  ] as const
  for (const [method, path, body] of attempts) {
    const { status } = await world.call(method, path, body, { token })
    expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 403`)
  }
})

test('a limited token sees its own account’s things in every list', async () => {
  const token = await world.token('read', [world.bob])
  for (const path of ['/posts', '/actions', '/accounts', '/audit', '/events', '/export/posts']) {
    const { text, status } = await world.get(path, { token })
    expect(status).toBe(200)
    expect(text).toContain('bob')
    expect(text).not.toContain('"ann"')
  }
  const { body } = await world.get<{ watched: number }>('/overview', { token })
  expect(body.watched).toBe(1)
})
