/** The table of everything that a server of the Mastodon family can answer, and what it means. */

import { describe, expect, it } from 'vitest'
import { minuteMs, secondMs } from '../../src/core/duration.ts'
import { isWrite } from '../live/fault-proxy.ts'
import type { FaultRule } from '../live/fault-proxy.ts'
import { canary, openFake } from './mastodon/fake-suite.ts'
import { faultOf, observeOne, readyWrite } from './writes.ts'

const words = (error: string) => JSON.stringify({ error })
const page = '<!DOCTYPE html><html><body>Bad gateway</body></html>'
const html = { 'content-type': 'text/html' }

type Row = readonly [
  name: string,
  answer: FaultRule['fault'],
  landed: string,
  code: string,
  scope: string,
]

const writes: readonly Row[] = [
  [
    'a bad token',
    { status: 401, body: words('The access token is invalid') },
    'no',
    'credentials',
    'account',
  ],
  [
    'a token without the right',
    { status: 403, body: words('This action is outside the authorized scopes') },
    'no',
    'credentials',
    'account',
  ],
  [
    'a disabled login',
    { status: 403, body: words('Your login is currently disabled') },
    'no',
    'forbidden',
    'account',
  ],
  [
    'something not allowed',
    { status: 403, body: words('This action is not allowed') },
    'no',
    'forbidden',
    'request',
  ],
  ['no parent', { status: 404, body: words('Record not found') }, 'no', 'not_found', 'post'],
  [
    'no parent, in other words',
    { status: 422, body: words('The post you are trying to reply to does not appear to exist.') },
    'no',
    'not_found',
    'post',
  ],
  ['a post that is gone for good', { status: 410, body: '{}' }, 'no', 'not_found', 'post'],
  [
    'a text that is too long',
    { status: 422, body: words('Validation failed: Text character limit of 500 exceeded') },
    'no',
    'invalid',
    'request',
  ],
  ['a bad request', { status: 400, body: '{}' }, 'no', 'invalid', 'request'],
  [
    'too many requests',
    { status: 429, body: words('Too many requests') },
    'no',
    'rate_limit',
    'account',
  ],
  [
    'a server that failed',
    { status: 500, body: words('Something went wrong') },
    'unknown',
    'service_unavailable',
    'platform',
  ],
  [
    'a page from a proxy',
    { status: 502, headers: html, body: page },
    'unknown',
    'service_unavailable',
    'platform',
  ],
  ...[401, 403].map((status): Row => [
    `a refusal by a proxy (${status})`,
    { status, headers: html, body: page },
    'unknown',
    'network_error',
    'platform',
  ]),
  [
    'a server that is away',
    { status: 503, body: '' },
    'unknown',
    'service_unavailable',
    'platform',
  ],
  [
    'a gateway that waited',
    { status: 504, headers: html, body: page },
    'unknown',
    'timeout',
    'platform',
  ],
  ['a conflict', { status: 409, body: '{}' }, 'unknown', 'conflict', 'request'],
  ['a status of its own', { status: 418, body: '{}' }, 'unknown', 'other', 'request'],
  [
    'a redirect',
    { status: 302, headers: { location: 'https://elsewhere.example/' } },
    'unknown',
    'bad_answer',
    'request',
  ],
  [
    'a redirect that keeps the method',
    { status: 307, headers: { location: '/elsewhere' } },
    'no',
    'bad_answer',
    'request',
  ],
  [
    'a success that is cut off',
    { status: 200, body: '{"id":' },
    'unknown',
    'bad_answer',
    'request',
  ],
  ['a success without content', { status: 200, body: '' }, 'unknown', 'bad_answer', 'request'],
  [
    'a success without an id',
    { status: 200, body: '{"content":"x"}' },
    'unknown',
    'bad_answer',
    'request',
  ],
  [
    'a success that is a page',
    { status: 200, headers: html, body: page },
    'unknown',
    'bad_answer',
    'request',
  ],
  [
    'a success that is too large',
    { status: 200, body: ' '.repeat(5 * 1024 * 1024) },
    'unknown',
    'bad_answer',
    'request',
  ],
  ['a broken connection', 'refuse', 'unknown', 'network_error', 'request'],
  [
    'a connection that breaks afterwards',
    'commit_then_drop',
    'unknown',
    'network_error',
    'request',
  ],
]

describe('a reply that is answered with', () => {
  it.each(writes)('%s', async (_, fault, ...expected) => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'What do you think?')
    world.proxy.arm({ fault, matches: isWrite })
    const { landed, code, scope, detail } = await faultOf(
      world,
      world.platform.commit(write),
      'write',
    )
    expect([landed, code, scope]).toEqual(expected)
    expect(detail).not.toContain(canary)
  })
})

describe('a reply', () => {
  it('is unknown when no answer comes in time', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'What do you think?')
    const stalled = world.proxy.arm({ fault: 'stall', matches: isWrite })
    const fault = faultOf(world, world.platform.commit(write), 'write')
    await stalled.met
    await world.clock.advance(minuteMs)
    expect(await fault).toMatchObject({ landed: 'unknown', code: 'timeout' })
  })

  it('has not landed where the server could not be read before it', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'What do you think?')
    const stalled = world.proxy.arm({ fault: 'stall' })
    const fault = faultOf(world, world.platform.commit(write), 'write')
    await stalled.met
    await world.clock.advance(minuteMs)
    expect(await fault).toMatchObject({ landed: 'no', code: 'timeout' })
    expect(world.server.statuses.repliesTo(post.id)).toEqual([])
  })

  it('is put off until the time that the server names', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'What do you think?')
    const resetAt = world.clock.now() + 90 * secondMs
    const headers = {
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': new Date(resetAt).toISOString(),
    }
    world.proxy.arm({ fault: { status: 429, headers }, matches: isWrite })
    const { retryAt } = await faultOf(world, world.platform.commit(write), 'write')
    expect(retryAt).toBe(resetAt)
  })

  it('is sent once, whatever the answer is', async () => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    const write = await readyWrite(world, 'comment', post.id, 'What do you think?')
    world.proxy.arm({ fault: 'commit_then_5xx', matches: isWrite })
    await faultOf(world, world.platform.commit(write), 'write')
    expect(world.proxy.requests.filter(isWrite)).toHaveLength(1)
  })
})

const reads: readonly Row[] = [
  [
    'a bad token',
    { status: 401, body: words('The access token is invalid') },
    'no',
    'credentials',
    'account',
  ],
  ['too many requests', { status: 429, body: '{}' }, 'no', 'rate_limit', 'account'],
  ...[401, 403].map((status): Row => [
    `the page of a captive portal (${status})`,
    { status, headers: html, body: page },
    'no',
    'network_error',
    'platform',
  ]),
  ['a server that is away', { status: 503, body: '' }, 'no', 'service_unavailable', 'platform'],
  [
    'a page in place of an answer',
    { status: 200, headers: html, body: page },
    'no',
    'bad_answer',
    'request',
  ],
  ['a list of something else', { status: 200, body: '[{"id":1}]' }, 'no', 'bad_answer', 'request'],
  ['a broken connection', 'refuse', 'no', 'network_error', 'request'],
]

describe('a reading that is answered with', () => {
  it.each(reads)('%s', async (_, fault, ...expected) => {
    await using world = await openFake()
    const post = world.server.statuses.add({ status: 'A post' })
    world.proxy.arm({ fault })
    const { landed, code, scope } = await faultOf(world, observeOne(world, post.id), 'read')
    expect([landed, code, scope]).toEqual(expected)
  })
})
