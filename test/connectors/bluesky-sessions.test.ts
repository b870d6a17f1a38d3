/** Tests sessions by app password: renewing, dying, and never being seen. */

import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/core/input-error.ts'
import { Secret } from '../../src/core/secret.ts'
import { blueskyAt } from '../../src/platform/bluesky/index.ts'
import type { SignInValues } from '../../src/platform/connector.ts'
import type { Renew } from '../../src/platform/platform.ts'
import { requireWithout } from '../../src/testing/platform/world.ts'
import type { GivenAnswer, ProxyFault } from '../live/fault-proxy.ts'
import { anna } from './bluesky/fake-pds.ts'
import { canary, Scene } from './bluesky/scene.ts'
import { toolsFor } from './bluesky/suite.ts'

/** The part of the engine: exchanges once at a time, and keeps the result. */
class Vault {
  exchanges = 0
  current: Secret

  constructor(current: Secret) {
    this.current = current
  }

  readonly renew: Renew = async (exchange) => {
    this.exchanges += 1
    this.current = await exchange(this.current)
    return this.current
  }
}

async function withVault(): Promise<{ readonly scene: Scene; readonly vault: Vault }> {
  const scene = await Scene.start()
  const vault = new Vault(scene.connection.credentials ?? new Secret(''))
  scene.connection = { ...scene.connection, renew: vault.renew }
  return { scene, vault }
}

/** The access tokens that are there end, as they do after two hours. */
function endSessions(scene: Scene): void {
  for (const token of scene.pds.access) scene.pds.expired.add(token)
  scene.pds.access.clear()
}

const isRefresh = ({ path }: { readonly path: string }) => path.endsWith('.refreshSession')
const isPut = ({ path }: { readonly path: string }) => path.endsWith('.putRecord')

describe('a session that has run out', () => {
  it('is replaced, and the read goes on', async () => {
    const { scene, vault } = await withVault()
    await using _ = scene
    const post = await scene.owner.publish('A post')
    endSessions(scene)
    expect((await scene.observe(post))[0]?.kind).toBe('live')
    expect(vault.exchanges).toBe(1)
    expect(vault.current.reveal()).not.toBe(scene.connection.credentials?.reveal())
  })

  it('is replaced, and the write that was refused for it is there once', async () => {
    const { scene, vault } = await withVault()
    await using _ = scene
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('comment', post)
    endSessions(scene)
    await scene.platform.commit(write)
    expect(scene.repliesTo(post)).toHaveLength(1)
    expect(scene.proxy.requests.filter(isPut)).toHaveLength(2)
    expect(vault.exchanges).toBe(1)
  })

  it('that someone else replaced already is not exchanged again', async () => {
    const { scene } = await withVault()
    await using _ = scene
    const post = await scene.owner.publish('A post')
    endSessions(scene)
    const old = scene.connection.credentials?.reveal() ?? ''
    const fresh = { ...(JSON.parse(old) as object), ...scene.pds.openSession(canary) }
    const renew: Renew = async () => new Secret(JSON.stringify(fresh))
    scene.connection = { ...scene.connection, renew }
    expect((await scene.observe(post))[0]?.kind).toBe('live')
    expect(scene.proxy.requests.filter(isRefresh)).toEqual([])
  })

  it('that cannot be stored anywhere is dead', async () => {
    await using scene = await Scene.start()
    const post = await scene.owner.publish('A post')
    endSessions(scene)
    const fault = await scene.faultOf(scene.observe(post), 'read')
    expect(fault).toMatchObject({ landed: 'no', code: 'credentials', scope: 'account' })
    expect(scene.proxy.requests.filter(isRefresh)).toEqual([])
  })

  it('that was revoked is dead, and the write did not land', async () => {
    const { scene } = await withVault()
    await using _ = scene
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('comment', post)
    endSessions(scene)
    scene.pds.refresh.clear()
    const error = await scene.errorOf(scene.platform.commit(write))
    const fault = scene.platform.classify(error, 'write', scene.clock.now())
    expect(fault).toMatchObject({ landed: 'no', code: 'credentials', scope: 'account' })
    expect(scene.repliesTo(post)).toEqual([])
    requireWithout(canary, error)
  })

  it('whose replacement runs out at once is not replaced for ever', async () => {
    const { scene, vault } = await withVault()
    await using _ = scene
    const post = await scene.owner.publish('A post')
    scene.proxy.arm({ fault: expired, matches: ({ path }) => path.includes('.getPosts') })
    scene.proxy.arm({ fault: expired, matches: ({ path }) => path.includes('.getPosts') })
    const fault = await scene.faultOf(scene.observe(post), 'read')
    expect(fault).toMatchObject({ code: 'credentials', scope: 'account' })
    expect(vault.exchanges).toBe(1)
  })

  it('is never replaced by one of another account', async () => {
    const { scene, vault } = await withVault()
    await using _ = scene
    const post = await scene.owner.publish('A post')
    endSessions(scene)
    const body = JSON.stringify({ did: 'did:plc:other', accessJwt: 'a', refreshJwt: 'b' })
    scene.proxy.arm({ fault: { status: 200, body }, matches: isRefresh })
    expect((await scene.faultOf(scene.observe(post), 'read')).code).toBe('credentials')
    expect(vault.current).toBe(scene.connection.credentials)
  })
})

const expired: GivenAnswer = { status: 400, body: '{"error":"ExpiredToken","message":"x"}' }

describe('an exchange that fails for now does not kill the credentials', () => {
  it.each<[string, ProxyFault | GivenAnswer, string]>([
    [
      'a server error',
      { status: 500, body: '{"error":"InternalServerError"}' },
      'service_unavailable',
    ],
    [
      'a page',
      { status: 401, body: '<html>', headers: { 'content-type': 'text/html' } },
      'bad_answer',
    ],
    ['too many requests', { status: 429, body: '{"error":"RateLimitExceeded"}' }, 'rate_limit'],
    ['nothing', 'refuse', 'network_error'],
    ['half an answer', 'commit_then_malformed', 'bad_answer'],
  ])('%s', async (_what, fault, code) => {
    const { scene } = await withVault()
    await using _ = scene
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('comment', post)
    endSessions(scene)
    scene.proxy.arm({ fault, matches: isRefresh })
    const said = await scene.faultOf(scene.platform.commit(write), 'write')
    expect([said.landed, said.code]).toEqual(['no', code])
    expect(scene.repliesTo(post)).toEqual([])
  })
})

describe('credentials that cannot be read', () => {
  it.each([
    ['not JSON', new Secret(`${canary} {`)],
    ['another shape', new Secret(JSON.stringify({ kind: 'app_password', token: canary }))],
    ['another kind', new Secret(JSON.stringify({ kind: 'other', token: canary }))],
    ['none', null],
  ])('%s', async (_, credentials) => {
    await using scene = await Scene.start()
    scene.connection = { ...scene.connection, credentials }
    const error = await scene.errorOf(scene.observe('at://did:plc:x/app.bsky.feed.post/3k'))
    const fault = scene.platform.classify(error, 'write', 0)
    expect(fault).toMatchObject({ landed: 'no', code: 'credentials', scope: 'account' })
    requireWithout(canary, error)
  })

  it('of another account send nothing', async () => {
    await using scene = await Scene.start()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    scene.withCredentials({ did: 'did:plc:other' })
    const fault = await scene.faultOf(
      scene.platform.commit({ ...write, ...scene.options }),
      'write',
    )
    expect(fault).toMatchObject({ landed: 'no', code: 'credentials' })
    expect(scene.proxy.requests.filter(isPut)).toEqual([])
  })
})

describe('signing in with an app password', () => {
  const open = async (scene: Scene, values: SignInValues) => {
    const { url, host } = scene.pds
    const [first] = blueskyAt({ service: url, directory: url }).signIns
    if (first?.kind !== 'direct') throw new Error('It is not the first way')
    return first.open(toolsFor(scene.clock, [host]), values, new AbortController().signal)
  }

  it('gives a session, and not the password', async () => {
    await using scene = await Scene.start()
    const password = scene.pds.appPassword
    const signedIn = await open(scene, { handle: '@Anna.test ', password, edits: 'yes' })
    expect(signedIn.handle).toBe(anna.handle)
    expect(signedIn.profile).toEqual({ did: anna.did, pds: scene.pds.url, edits: true })
    expect(signedIn.credentials.reveal()).not.toContain(password)
    const { credentials, profile } = signedIn
    const platform = blueskyAt({ service: '', directory: '' }).create(
      toolsFor(scene.clock, [scene.pds.host]),
    )
    const connection = { ...scene.connection, credentials, profile }
    const probed = await platform.probe({ connection, signal: new AbortController().signal })
    expect(probed).toEqual({ handle: anna.handle, profile })
    expect(platform.describe(connection).actions.edit.supported).toBe(true)
  })

  it.each([
    ['handle', 'anna', 'abcd-efgh-ijkl-mnop', 'is not a handle like name.bsky.social'],
    ['handle', '', 'abcd-efgh-ijkl-mnop', 'is missing'],
    ['password', 'anna.test', 'my main password', 'is not an app password'],
    ['password', 'anna.test', 'aaaa-bbbb-cccc-dddd', 'is not accepted'],
    ['password', 'anna.test', '', 'is missing'],
  ])('names the field %s where it is %j, %j', async (field, handle, password, problem) => {
    await using scene = await Scene.start()
    const error = await scene.errorOf(open(scene, { handle, password }))
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({ field })
    expect(String(error)).toContain(problem)
    if (password !== '') requireWithout(password, error)
  })

  it('names the field edits', async () => {
    await using scene = await Scene.start()
    const values = { handle: 'anna.test', password: scene.pds.appPassword, edits: 'maybe' }
    expect(await scene.errorOf(open(scene, values))).toMatchObject({ field: 'edits' })
  })
})
