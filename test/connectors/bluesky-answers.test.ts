/** Tests what each answer is taken for: status by body, on writes and on reads. */

import { describe, expect, it } from 'vitest'
import type { Fault } from '../../src/core/fault.ts'
import { requireWithout } from '../../src/testing/platform/world.ts'
import type { GivenAnswer, ProxyFault } from '../live/fault-proxy.ts'
import { canary, Scene } from './bluesky/scene.ts'

/** A server may repeat a token in the place of a name. */
const canaryName = canary.replaceAll('-', '_')

type Meaning = `${Fault['landed']} ${Fault['code']} ${Fault['scope']}`

const named = (status: number, error: string): GivenAnswer => ({
  status,
  // Servers repeat what they were sent; none of it may get any further.
  body: JSON.stringify({ error, message: `Bad request: ${canary}` }),
})
const page = (status: number): GivenAnswer => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><title>${canary}</title>`,
})
const empty = (status: number): GivenAnswer => ({ status })

/** On a write and on a read. */
type Row = readonly [what: string, answer: GivenAnswer, write: Meaning, read: Meaning]

const refusals: readonly Row[] = (
  [
    [400, 'InvalidRequest', 'invalid request'],
    [400, 'InvalidSwap', 'conflict post'],
    [400, 'RecordNotFound', 'not_found post'],
    [400, 'InvalidToken', 'credentials account'],
    [400, 'SomethingNew', 'invalid request'],
    [400, 'toString', 'invalid request'],
    [401, 'AuthMissing', 'credentials account'],
    [401, 'AuthenticationRequired', 'credentials account'],
    [401, 'AccountTakedown', 'credentials account'],
    [401, 'AccountDeactivated', 'credentials account'],
    [400, 'RepoDeactivated', 'credentials account'],
    [401, 'BadJwtSignature', 'service_unavailable request'],
    [401, canaryName, 'service_unavailable request'],
    [400, canaryName, 'invalid request'],
    [403, 'ScopeMissingError', 'forbidden account'],
    [403, 'SomethingNew', 'forbidden request'],
    [404, 'XRPCNotSupported', 'unsupported platform'],
    [413, 'PayloadTooLarge', 'invalid request'],
    [429, 'RateLimitExceeded', 'rate_limit account'],
  ] as const
).map(([status, error, meaning]) => {
  const what = `${status} ${error}`
  return [what, named(status, error), `no ${meaning}`, `no ${meaning}`]
})

/** The server may have applied the write before, or in spite of, such an answer. */
const doubts: readonly Row[] = (
  [
    ['500', named(500, 'InternalServerError'), 'service_unavailable platform'],
    ['501', named(501, 'MethodNotImplemented'), 'unsupported request'],
    ['502 UpstreamFailure', named(502, 'UpstreamFailure'), 'service_unavailable platform'],
    ['503 NotEnoughResources', named(503, 'NotEnoughResources'), 'service_unavailable platform'],
    ['504 UpstreamTimeout', named(504, 'UpstreamTimeout'), 'timeout platform'],
    ['502 page', page(502), 'service_unavailable platform'],
    ['400 page', page(400), 'bad_answer request'],
    ['401 page', page(401), 'bad_answer request'],
    ['403 page', page(403), 'bad_answer request'],
    ['404 page', page(404), 'bad_answer request'],
    ['401 empty', empty(401), 'bad_answer request'],
    ['400 other JSON', { status: 400, body: '{"code":7}' }, 'bad_answer request'],
    ['400 list', { status: 400, body: '["InvalidRequest"]' }, 'bad_answer request'],
    ['400 null', { status: 400, body: 'null' }, 'bad_answer request'],
    ['200 empty', empty(200), 'bad_answer request'],
    ['200 page', page(200), 'bad_answer request'],
    ['200 cut off', { status: 200, body: '{"uri":"at:' }, 'bad_answer request'],
    ['200 other JSON', { status: 200, body: '{}' }, 'bad_answer request'],
    ['204', empty(204), 'bad_answer request'],
  ] as const
).map(([what, answer, meaning]) => [what, answer, `unknown ${meaning}`, `no ${meaning}`])

const rows: readonly Row[] = [...refusals, ...doubts]

const meaningOf = ({ landed, code, scope }: Fault): Meaning => `${landed} ${code} ${scope}`

const isPut = ({ path }: { readonly path: string }) => path.endsWith('.putRecord')
const isApply = ({ path }: { readonly path: string }) => path.endsWith('.applyWrites')
const isRead = ({ path }: { readonly path: string }) => path.includes('.getPosts')

describe('an answer to a write', () => {
  it.each(rows)('%s, to a comment', async (_, fault, meaning) => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    scene.proxy.arm({ fault, matches: isPut })
    const error = await scene.errorOf(scene.platform.commit(write))
    const said = scene.platform.classify(error, 'write', scene.clock.now())
    expect(meaningOf(said)).toBe(meaning)
    for (const secret of [canary, canaryName]) {
      requireWithout(secret, error)
      requireWithout(secret, said)
    }
  })

  it.each(rows)('%s, to a thread', async (_, fault, meaning) => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('thread', post, 'One', 'Two')
    scene.proxy.arm({ fault, matches: isApply })
    const said = await scene.faultOf(scene.platform.commit(write), 'write')
    expect(meaningOf(said)).toBe(meaning)
  })

  it.each([
    ['names another record', { uri: 'at://did:plc:x/app.bsky.feed.post/3k', cid: 'bafy' }],
    ['has no version', { uri: 'at://did:plc:anna7anna7anna7anna7anna/app.bsky.feed.post/3k' }],
  ])('that %s is doubted', async (_, body) => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    scene.proxy.arm({ fault: { status: 200, body: JSON.stringify(body) }, matches: isPut })
    const said = await scene.faultOf(scene.platform.commit(write), 'write')
    expect(meaningOf(said)).toBe('unknown bad_answer request')
  })

  it.each([301, 302, 303, 307, 308])('%i is not followed', async (status) => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    const headers = { location: '/elsewhere' }
    scene.proxy.arm({ fault: { status, headers }, matches: isPut })
    const said = await scene.faultOf(scene.platform.commit(write), 'write')
    expect(said.code).toBe('bad_answer')
    expect(said.landed).toBe(status >= 307 ? 'no' : 'unknown')
    expect(scene.proxy.requests.filter(({ path }) => path.includes('elsewhere'))).toEqual([])
  })

  it.each<[ProxyFault, Meaning]>([
    ['refuse', 'unknown network_error request'],
    ['commit_then_drop', 'unknown network_error request'],
  ])('that never comes: %s', async (fault, meaning) => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    scene.proxy.arm({ fault, matches: isPut })
    expect(meaningOf(await scene.faultOf(scene.platform.commit(write), 'write'))).toBe(meaning)
  })

  it('that takes too long is given up as unknown', async () => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    const armed = scene.proxy.arm({ fault: 'commit_then_stall', matches: isPut })
    const said = scene.faultOf(scene.platform.commit(write), 'write')
    await armed.met
    await scene.clock.advance(31_000)
    expect(meaningOf(await said)).toBe('unknown timeout request')
    expect((await scene.platform.locate(write)).kind).toBe('found')
  })

  it('that is larger than anything the network gives is unknown', async () => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    const body = JSON.stringify({ uri: 'x'.repeat(5 * 1024 * 1024) })
    scene.proxy.arm({ fault: { status: 200, body }, matches: isPut })
    const said = await scene.faultOf(scene.platform.commit(write), 'write')
    expect(meaningOf(said)).toBe('unknown bad_answer request')
  })

  it('of “too many requests” says when to come back', async () => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    const resetAt = scene.clock.now() / 1000 + 1800
    const headers = {
      'ratelimit-limit': '5000',
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(resetAt),
      'ratelimit-policy': '5000;w=3600',
    }
    const fault = { ...named(429, 'RateLimitExceeded'), headers }
    scene.proxy.arm({ fault, matches: isPut })
    const said = await scene.faultOf(scene.platform.commit(write), 'write')
    expect(said.retryAt).toBe(resetAt * 1000)
  })
})

describe('an answer to a read', () => {
  it.each(rows)('%s', async (_, fault, __, meaning) => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    scene.proxy.arm({ fault, matches: isRead })
    const error = await scene.errorOf(scene.observe(post))
    const said = scene.platform.classify(error, 'read', scene.clock.now())
    expect(meaningOf(said)).toBe(meaning)
    for (const secret of [canary, canaryName]) {
      requireWithout(secret, error)
      requireWithout(secret, said)
    }
  })
})

describe('trouble before a write is sent', () => {
  it.each<[string, ProxyFault | GivenAnswer, Meaning]>([
    ['the connection breaks', 'refuse', 'no network_error request'],
    ['a server error', named(500, 'InternalServerError'), 'no service_unavailable platform'],
    ['an answer without sense', empty(200), 'no bad_answer request'],
  ])('%s while looking at the post: nothing landed', async (_, fault, meaning) => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    scene.proxy.arm({ fault, matches: ({ path }) => path.includes('.getRecord') })
    expect(meaningOf(await scene.faultOf(scene.platform.commit(write), 'write'))).toBe(meaning)
    expect(scene.proxy.requests.filter(isPut)).toEqual([])
  })
})
