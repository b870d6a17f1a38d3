/**
 * What the X connector makes of answers as the public documentation has them (test/fixtures/x),
 * and what it does that the conformance suite does not ask. Nothing here was seen on X itself.
 */

import { describe, expect, it } from 'vitest'
import { dayMs, hourMs, minuteMs, secondMs } from '../../src/core/duration.ts'
import type { TrialResult } from '../../src/platform/connector.ts'
import { isWrite } from '../live/fault-proxy.ts'
import type { FaultRule } from '../live/fault-proxy.ts'
import { fixture } from './x/fixture.ts'
import { openFakeX, provenProfile } from './x/fake-suite.ts'
import type { FakeXWorld } from './x/fake-suite.ts'
import { callOptions, faultOf, observeOne, prepareWrite, readyWrite } from './writes.ts'

type Row = readonly [
  name: string,
  answer: FaultRule['fault'],
  landed: string,
  code: string,
  scope: string,
]

const page = '<!DOCTYPE html><html><body>Over capacity</body></html>'

const writes: readonly Row[] = [
  [
    'that the text is there already',
    { status: 403, body: fixture('duplicate') },
    'no',
    'conflict',
    'post',
  ],
  [
    'that the post is gone',
    { status: 403, body: fixture('parent-gone') },
    'no',
    'not_found',
    'post',
  ],
  [
    'that it is not permitted',
    { status: 403, body: fixture('not-permitted') },
    'no',
    'forbidden',
    'post',
  ],
  [
    'that the app is not enrolled',
    { status: 403, body: fixture('not-enrolled') },
    'no',
    'forbidden',
    'account',
  ],
  [
    'that it looks automated',
    { status: 403, body: '{"detail":"This request looks like it might be automated."}' },
    'no',
    'spam',
    'account',
  ],
  [
    'that credits are used up',
    { status: 402, body: fixture('no-credits') },
    'no',
    'forbidden',
    'account',
  ],
  [
    'that the month is used up',
    { status: 429, body: fixture('usage-cap') },
    'no',
    'rate_limit',
    'account',
  ],
  [
    'that it is too fast',
    { status: 429, body: fixture('too-many-requests') },
    'no',
    'rate_limit',
    'account',
  ],
  [
    'that it does not know us',
    { status: 401, body: fixture('unauthorized') },
    'no',
    'credentials',
    'account',
  ],
  [
    'that the text is wrong',
    { status: 400, body: fixture('invalid-request') },
    'no',
    'invalid',
    'request',
  ],
  ['that it failed', { status: 500, body: '{}' }, 'unknown', 'service_unavailable', 'platform'],
  [
    'that it is over capacity, on a page',
    { status: 503, body: page },
    'unknown',
    'service_unavailable',
    'platform',
  ],
  ...[401, 403].map((status): Row => [
    `nothing, but a proxy refuses (${status})`,
    { status, body: page },
    'unknown',
    'network_error',
    'platform',
  ]),
  ['nothing in a success', { status: 201, body: '' }, 'unknown', 'bad_answer', 'request'],
  [
    'half of a success',
    { status: 201, body: '{"data":{"text":"x"}}' },
    'unknown',
    'bad_answer',
    'request',
  ],
  ['a page in place of a success', { status: 200, body: page }, 'unknown', 'bad_answer', 'request'],
  [
    'too much',
    { status: 201, body: ' '.repeat(5 * 1024 * 1024) },
    'unknown',
    'bad_answer',
    'request',
  ],
  [
    'to look elsewhere',
    { status: 302, headers: { location: 'https://elsewhere.example/' } },
    'unknown',
    'bad_answer',
    'request',
  ],
  ['nothing, and hangs up', 'refuse', 'unknown', 'network_error', 'request'],
  ['nothing, and hangs up afterwards', 'commit_then_drop', 'unknown', 'network_error', 'request'],
]

describe('a reply to which X says', () => {
  it.each(writes)('%s', async (_, fault, ...expected) => {
    await using world = await openFakeX()
    const post = world.server.posts.add('A post', null)
    const write = await readyWrite(world, 'comment', post.id, 'What do you think?')
    world.proxy.arm({ fault, matches: isWrite })
    const said = await faultOf(world, world.platform.commit(write), 'write')
    expect([said.landed, said.code, said.scope]).toEqual(expected)
    expect(JSON.stringify(said)).not.toContain('canary')
    expect(world.proxy.requests.filter(isWrite)).toHaveLength(1)
  })

  it('nothing in time', async () => {
    await using world = await openFakeX()
    const post = world.server.posts.add('A post', null)
    const write = await readyWrite(world, 'comment', post.id, 'What do you think?')
    const stalled = world.proxy.arm({ fault: 'stall', matches: isWrite })
    const fault = faultOf(world, world.platform.commit(write), 'write')
    await stalled.met
    await world.clock.advance(minuteMs)
    expect(await fault).toMatchObject({ landed: 'unknown', code: 'timeout' })
  })
})

describe('the time to come back', () => {
  const retryAtFor = async (headers: (nowSeconds: number) => Record<string, string>) => {
    await using world = await openFakeX()
    const nowSeconds = world.clock.now() / secondMs
    const body = fixture('too-many-requests')
    world.proxy.arm({ fault: { status: 429, headers: headers(nowSeconds), body } })
    const { retryAt } = await faultOf(world, observeOne(world, '1'), 'read')
    return retryAt === null ? null : retryAt / secondMs - nowSeconds
  }

  it('is when the window ends', async () => {
    const after = await retryAtFor((now) => ({
      'x-rate-limit-remaining': '0',
      'x-rate-limit-reset': String(now + 600),
    }))
    expect(after).toBe(600)
  })

  it('is when the day ends, where the day is used up', async () => {
    const after = await retryAtFor((now) => ({
      'x-rate-limit-remaining': '57',
      'x-rate-limit-reset': String(now + 600),
      'x-user-limit-24hour-remaining': '0',
      'x-user-limit-24hour-reset': String(now + 40_000),
    }))
    expect(after).toBe(40_000)
  })
})

describe('reading', () => {
  it('understands posts as X documents them', async () => {
    await using world = await openFakeX()
    const ids = ['1460323737035677698', '1460323737035677699', '1460323737035677700']
    world.proxy.arm({ fault: { status: 200, body: fixture('posts') } })
    const [live, ...rest] = await world.platform.observe({ ...callOptions(world), remoteIds: ids })
    expect(live).toMatchObject({
      kind: 'live',
      text: 'Bread & butter: https://example.com/recipes/bread',
      sample: {
        impressions: 930,
        engagements: 21,
        interactions: { replies: 2, reposts: 3, likes: 11, quotes: 1, bookmarks: 4 },
      },
    })
    expect(rest.map(({ kind }) => kind)).toEqual(['deleted', 'restricted'])
  })

  it('asks for a hundred posts at a time', async () => {
    await using world = await openFakeX()
    const ids = Array.from(
      { length: 130 },
      (_, index) => world.server.posts.add(`${index}`, null).id,
    )
    world.server.requests.length = 0
    const found = await world.platform.observe({ ...callOptions(world), remoteIds: ids })
    expect(found).toHaveLength(130)
    const batches = world.server.requests.filter((line) => line === 'GET /2/tweets')
    expect(batches).toHaveLength(2)
  })

  it('adds up what all versions of a post got', async () => {
    await using world = await openFakeX()
    const first = world.server.posts.add('A post', null)
    first.likes = 5
    const second = world.server.posts.edit(first, 'A better post')
    second.likes = 7
    const seen = await observeOne(world, first.id)
    expect(seen).toMatchObject({ text: 'A better post', contentVersion: second.id })
    expect(seen).toMatchObject({ sample: { engagements: 12, impressions: 20 } })
  })

  it('says nothing of a post that the answer says nothing about', async () => {
    await using world = await openFakeX()
    world.proxy.arm({ fault: { status: 200, body: '{}' } })
    const found = await world.platform.observe({ ...callOptions(world), remoteIds: ['1'] })
    expect(found).toEqual([])
  })
})

describe('a probe', () => {
  it('tells that an account with Premium can edit, and for how long', async () => {
    await using world = await openFakeX()
    world.server.posts.add('A post', null)
    const { handle, profile } = await world.platform.probe(callOptions(world))
    expect(handle).toBe('@anna')
    const window = { isPremium: true, editWindowMs: hourMs }
    expect(profile).toMatchObject({ ...window, repliesProven: true })
  })

  it('leaves edits off without Premium, and replies until they were proven', async () => {
    await using world = await openFakeX()
    world.server.subscription = 'None'
    const connection = { ...world.connection, profile: null }
    const { profile } = await world.platform.probe(callOptions({ connection }))
    const { actions } = world.platform.describe({ ...connection, profile })
    expect(Object.values(actions).map(({ supported }) => supported)).toEqual([false, false, false])
  })

  it('understands the account as X documents it', async () => {
    await using world = await openFakeX()
    world.proxy.arm({ fault: { status: 200, body: fixture('me') } })
    world.proxy.arm({ fault: { status: 200, body: '{"meta":{}}' }, nth: 2 })
    const connection = { ...world.connection, profile: null }
    const { handle, profile } = await world.platform.probe(callOptions({ connection }))
    expect(handle).toBe('@anna_writes')
    expect(profile).toMatchObject({ isPremium: true, editWindowMs: null, repliesProven: false })
  })
})

describe('the trial of replies', () => {
  const unproven = { ...provenProfile, repliesProven: false }
  const tryOut = async ({ connector, ...world }: FakeXWorld): Promise<TrialResult> => {
    if (connector.trial === undefined) throw new Error('There is no trial')
    return connector.trial.run(world.tools, callOptions(world))
  }

  it('replies to the newest post, finds that it may, and leaves nothing behind', async () => {
    await using world = await openFakeX(unproven)
    world.server.posts.add('An older post', null)
    await world.clock.advance(hourMs)
    const { id } = world.server.posts.add('A post', null)
    const { profile, finding, leftOver } = await tryOut(world)
    expect(profile).toEqual(provenProfile)
    expect(finding).toContain('are on now')
    expect(leftOver).toEqual([])
    expect(world.server.posts.repliesTo(id)).toEqual([])
    const bodies = world.proxy.requests.filter(isWrite).map(({ body }) => body.toString())
    expect(bodies[0]).toContain(id)
  })

  it('finds that it may not, where X does not permit it', async () => {
    await using world = await openFakeX(unproven)
    world.server.posts.add('A post', null)
    world.proxy.arm({ fault: { status: 403, body: fixture('not-permitted') }, matches: isWrite })
    expect(await tryOut(world)).toMatchObject({ profile: unproven, leftOver: [] })
  })

  it.each([
    ['a server that failed', { status: 503, body: '' }, 'answered 503'],
    ['the page of a proxy', { status: 403, body: page }, 'answered 403'],
  ])('finds nothing where it meets %s', async (_, fault, words) => {
    await using world = await openFakeX(unproven)
    world.server.posts.add('A post', null)
    world.proxy.arm({ fault, matches: isWrite })
    await expect(tryOut(world)).rejects.toThrow(words)
  })

  it('says what it could not remove', async () => {
    await using world = await openFakeX(unproven)
    const { id } = world.server.posts.add('A post', null)
    world.proxy.arm({ fault: { status: 500 }, matches: ({ method }) => method === 'DELETE' })
    const { profile, leftOver } = await tryOut(world)
    expect(profile).toEqual(provenProfile)
    expect(leftOver).toEqual(world.server.posts.repliesTo(id).map((reply) => reply.id))
    expect(leftOver).toHaveLength(1)
  })

  it('wants a post of the last weeks', async () => {
    await using world = await openFakeX(unproven)
    world.server.posts.add('A post', null)
    await world.clock.advance(40 * dayMs)
    await expect(tryOut(world)).rejects.toThrow('publish one first')
    expect(world.proxy.requests.filter(isWrite)).toEqual([])
  })
})

describe('an edit', () => {
  it('is refused where it is too late', async () => {
    await using world = await openFakeX()
    const post = world.server.posts.add('A post', null)
    await world.clock.advance(hourMs)
    const prepared = await prepareWrite(world, 'edit', post.id, 'Another text')
    expect(prepared).toMatchObject({ kind: 'refused', fault: { code: 'forbidden', scope: 'post' } })
  })

  it('is refused after the fifth', async () => {
    await using world = await openFakeX()
    const post = world.server.posts.add('A post', null)
    for (let count = 1; count <= 5; count += 1) world.server.posts.edit(post, `Edit ${count}`)
    const prepared = await prepareWrite(world, 'edit', post.id, 'Another text')
    expect(prepared).toMatchObject({ kind: 'refused', fault: { code: 'forbidden', scope: 'post' } })
  })

  it('is refused where it might lose a picture', async () => {
    await using world = await openFakeX()
    const post = world.server.posts.add('A post', null)
    post.attachments = { media_keys: ['3_1'] }
    const prepared = await prepareWrite(world, 'edit', post.id, 'Another text')
    expect(prepared).toMatchObject({ kind: 'refused', fault: { code: 'unsupported' } })
  })
})

describe('a reply', () => {
  it('is found by its words where X has made its links short', async () => {
    await using world = await openFakeX()
    const post = world.server.posts.add('A post', null)
    const text = 'More at https://example.com/a/long/way & so on'
    const write = await readyWrite(world, 'comment', post.id, text)
    const landed = await world.platform.commit(write)
    expect(await world.platform.locate(write)).toEqual({ kind: 'found', landed })
  })

  it('is not taken for one that said the same before', async () => {
    await using world = await openFakeX()
    const post = world.server.posts.add('A post', null)
    world.server.posts.add('And you?', post.id)
    const write = await readyWrite(world, 'comment', post.id, 'And you?')
    expect(await world.platform.locate(write)).toEqual({ kind: 'not_found' })
  })
})
