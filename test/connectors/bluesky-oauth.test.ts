/** Tests signing in by browser, and what is done with tokens that are bound to a key. */

import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/core/input-error.ts'
import { Secret } from '../../src/core/secret.ts'
import { bluesky, blueskyAt, clientMetadata } from '../../src/platform/bluesky/index.ts'
import type { SignedIn } from '../../src/platform/connector.ts'
import type { Renew } from '../../src/platform/platform.ts'
import { requireWithout } from '../../src/testing/platform/world.ts'
import { FakeError } from './bluesky/fake-repo.ts'
import { FakeSignIn } from './bluesky/fake-sign-in.ts'
import { anna } from './bluesky/fake-pds.ts'
import { Scene } from './bluesky/scene.ts'
import { toolsFor } from './bluesky/suite.ts'

const redirectUri = 'http://127.0.0.1:8080/back'

/** A scene with a server to sign in at; tokens are then used on the scene's own server. */
class Stage implements AsyncDisposable {
  readonly scene: Scene
  readonly server: FakeSignIn

  private constructor(scene: Scene, server: FakeSignIn) {
    this.scene = scene
    this.server = server
    const { pds } = scene
    pds.checkKey = (request) => {
      const token = String(request.headers.authorization).replace('DPoP ', '')
      const url = `${scene.proxy.url}${new URL(request.url ?? '', pds.url).pathname}`
      try {
        const key = server.proofs.check(request, url, token, 401)
        if (key !== server.proofs.boundTo || !pds.access.has(token)) {
          return new FakeError(401, 'invalid_token', 'The token is not known')
        }
        return { nonce: server.proofs.nonce }
      } catch (error) {
        return error instanceof FakeError ? error : new FakeError(401, 'invalid_dpop_proof', '')
      }
    }
  }

  static async start(): Promise<Stage> {
    const scene = await Scene.start()
    return new Stage(scene, await FakeSignIn.start(scene.pds, () => scene.clock.now()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
    await this.scene[Symbol.asyncDispose]()
  }

  get #tools() {
    return toolsFor(this.scene.clock, [this.server.host, this.scene.pds.host])
  }

  get #way() {
    const { url: service } = this.scene.pds
    const way = blueskyAt({ service, directory: this.server.url }).signIns[1]
    if (way?.kind !== 'browser') throw new Error('There is no way by browser')
    return way
  }

  begin(values: Readonly<Record<string, string>> = { handle: anna.handle }) {
    const { signal } = new AbortController()
    return this.#way.begin(this.#tools, { values, redirectUri, signal })
  }

  finish(pending: Secret, answer: string): Promise<SignedIn> {
    return this.#way.finish(this.#tools, { pending, answer }, new AbortController().signal)
  }

  /** Signs in; from then on the scene's own connection is by these tokens. */
  async signIn(): Promise<SignedIn> {
    const visit = await this.begin()
    const signedIn = await this.finish(visit.pending, this.server.agree(visit.url))
    const { scene } = this
    scene.connection = { ...scene.connection, credentials: signedIn.credentials }
    scene.withCredentials({ pds: scene.proxy.url })
    return signedIn
  }
}

describe('signing in by browser', () => {
  it('gives tokens that are bound to a key', async () => {
    await using stage = await Stage.start()
    const signedIn = await stage.signIn()
    expect(signedIn.handle).toBe(anna.handle)
    expect(signedIn.profile).toEqual({ did: anna.did, pds: stage.server.url, edits: false })
    const credentials = JSON.parse(signedIn.credentials.reveal()) as Record<string, unknown>
    expect(credentials).toMatchObject({ kind: 'oauth', did: anna.did, issuer: stage.server.url })
  })

  it('sends only the name of the request through the browser', async () => {
    await using stage = await Stage.start()
    const { url, state } = await stage.begin()
    expect([...new URL(url).searchParams.keys()]).toEqual(['client_id', 'request_uri'])
    const [pushed] = stage.server.requests
    expect(pushed?.form.get('state')).toBe(state)
    expect(state.length).toBeGreaterThanOrEqual(43)
    expect(pushed?.form.get('login_hint')).toBe(anna.handle)
    const clientId = new URL(pushed?.form.get('client_id') ?? '')
    expect(clientId.origin).toBe('http://localhost')
    expect(clientId.searchParams.get('redirect_uri')).toBe(redirectUri)
    expect(clientId.searchParams.get('scope')).toBe('atproto transition:generic')
  })

  it('keeps what it needs sealed until the person is back', async () => {
    await using stage = await Stage.start()
    const visit = await stage.begin()
    expect(JSON.stringify(visit)).not.toContain('verifier')
    expect(visit.pending.reveal()).toContain('verifier')
  })

  it.each([
    ['another visit', (answer: URL) => answer.searchParams.set('state', 'other')],
    ['another server', (answer: URL) => answer.searchParams.set('iss', 'https://evil.example')],
    ['no server', (answer: URL) => answer.searchParams.delete('iss')],
    ['no code', (answer: URL) => answer.searchParams.delete('code')],
    ['a refusal', (answer: URL) => answer.searchParams.set('error', 'access_denied')],
    ['an error', (answer: URL) => answer.searchParams.set('error', 'server_error')],
  ])('does not take an answer of %s', async (_, change) => {
    await using stage = await Stage.start()
    const visit = await stage.begin()
    const answer = new URL(stage.server.agree(visit.url))
    change(answer)
    const error = await stage.scene.errorOf(stage.finish(visit.pending, answer.href))
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({ field: 'answer' })
    requireWithout('canary', error)
  })

  it('takes a code once', async () => {
    await using stage = await Stage.start()
    const visit = await stage.begin()
    const answer = stage.server.agree(visit.url)
    await stage.finish(visit.pending, answer)
    const error = await stage.scene.errorOf(stage.finish(visit.pending, answer))
    expect(error).toMatchObject({ name: 'AnswerError', response: { status: 400 } })
    requireWithout('canary', error)
  })

  it('does not take the tokens of another account', async () => {
    await using stage = await Stage.start()
    stage.server.subject = 'did:plc:other'
    const visit = await stage.begin()
    const work = stage.finish(visit.pending, stage.server.agree(visit.url))
    expect(await stage.scene.errorOf(work)).toMatchObject({ field: 'handle' })
  })

  it.each<[string, (server: FakeSignIn) => void]>([
    ['a server that calls itself another', (server) => (server.issuer = 'https://evil.example')],
    ['a server without our signatures', (server) => (server.algorithms = ['RS256'])],
    ['an account that has another handle', (server) => (server.handles = ['at://eve.test'])],
  ])('does not begin at %s', async (_, change) => {
    await using stage = await Stage.start()
    change(stage.server)
    expect(await stage.scene.errorOf(stage.begin())).toMatchObject({ field: 'handle' })
  })

  it('does not begin for a handle of nobody', async () => {
    await using stage = await Stage.start()
    const error = await stage.scene.errorOf(stage.begin({ handle: 'nobody.test' }))
    expect(String(error)).toContain('nobody is known')
  })
})

describe('a program that people reach over https', () => {
  it('is named by the address of its metadata', () => {
    const { path, document } = clientMetadata('https://wind.example/back')
    expect(document).toMatchObject({
      client_id: `https://wind.example${path}`,
      redirect_uris: ['https://wind.example/back'],
      dpop_bound_access_tokens: true,
    })
  })

  it('hands that metadata to the server, which shows it', () => {
    const shown = bluesky.signIns.flatMap((signIn) =>
      signIn.kind === 'browser' ? [signIn.clientDocument?.('https://wind.example/back')] : [],
    )
    expect(shown).toEqual([clientMetadata('https://wind.example/back')])
  })

  it.each(['http://wind.example/back', 'http://localhost/back', 'back', 'ftp://wind.example'])(
    'cannot be sent back to %s',
    (uri) => expect(() => clientMetadata(uri)).toThrow('redirectUri: must be https'),
  )
})

const isPut = ({ path }: { readonly path: string }) => path.endsWith('.putRecord')

describe('a write with tokens that are bound to a key', () => {
  it('is signed, and lands once', async () => {
    await using stage = await Stage.start()
    await stage.signIn()
    const post = await stage.scene.owner.publish('A post')
    await stage.scene.send('comment', post)
    expect(stage.scene.repliesTo(post)).toHaveLength(1)
  })

  it('that is refused for its number goes out again, and lands once', async () => {
    await using stage = await Stage.start()
    const { scene, server } = stage
    await stage.signIn()
    const post = await scene.owner.publish('A post')
    await scene.send('comment', post)
    server.proofs.nonce = 'nonce-2'
    const before = scene.proxy.requests.filter(isPut).length
    await scene.send('comment', post, 'Another')
    expect(scene.proxy.requests.filter(isPut).length - before).toBe(2)
    expect(scene.repliesTo(post)).toHaveLength(2)
  })

  it('that is refused for its number twice is given up, and nothing landed', async () => {
    await using stage = await Stage.start()
    const { scene } = stage
    await stage.signIn()
    const post = await scene.owner.publish('A post')
    const write = await scene.ready('comment', post)
    const fault = {
      status: 401,
      headers: { 'dpop-nonce': 'again' },
      body: '{"error":"use_dpop_nonce"}',
    }
    scene.proxy.arm({ fault, matches: isPut })
    scene.proxy.arm({ fault, matches: isPut })
    const said = await scene.faultOf(scene.platform.commit(write), 'write')
    expect([said.landed, said.code]).toEqual(['no', 'service_unavailable'])
    expect(scene.proxy.requests.filter(isPut)).toHaveLength(2)
  })

  it.each([
    [500, 'InternalServerError'],
    [500, 'use_dpop_nonce'],
    [502, 'UpstreamFailure'],
  ])('that is answered with %i %s is not sent again, though a new number came', async (...row) => {
    await using stage = await Stage.start()
    const { scene } = stage
    await stage.signIn()
    const write = await scene.ready('comment', await scene.owner.publish('A post'))
    const [status, error] = row
    const body = JSON.stringify({ error })
    const fault = { status, headers: { 'dpop-nonce': 'another' }, body }
    scene.proxy.arm({ fault, matches: isPut })
    const said = await scene.faultOf(scene.platform.commit(write), 'write')
    expect(said.landed).toBe('unknown')
    expect(scene.proxy.requests.filter(isPut)).toHaveLength(1)
  })
})

describe('tokens that have run out', () => {
  async function ended(): Promise<{ stage: Stage; post: string; exchanged: () => number }> {
    const stage = await Stage.start()
    await stage.signIn()
    const { scene, server } = stage
    let exchanges = 0
    const renew: Renew = async (exchange) => {
      exchanges += 1
      return exchange(scene.connection.credentials ?? new Secret(''))
    }
    scene.connection = { ...scene.connection, renew }
    const post = await scene.owner.publish('A post')
    scene.pds.access.clear()
    expect(server.refreshTokens.size).toBe(1)
    return { stage, post, exchanged: () => exchanges }
  }

  /** The sign-in server is another one, so it has to be allowed as well. */
  function allowAll({ scene, server }: Stage) {
    const hosts = [new URL(scene.proxy.url).host, server.host]
    const service = scene.pds.url
    return blueskyAt({ service, directory: service }).create(toolsFor(scene.clock, hosts))
  }

  it('are exchanged with the same key', async () => {
    const { stage, post, exchanged } = await ended()
    await using _ = stage
    const options = { ...stage.scene.options, remoteIds: [post] }
    const [seen] = await allowAll(stage).observe(options)
    expect(seen?.kind).toBe('live')
    expect(exchanged()).toBe(1)
  })

  it('and were revoked are dead, on the server’s clear word', async () => {
    const { stage, post } = await ended()
    await using _ = stage
    stage.server.refreshTokens.clear()
    const platform = allowAll(stage)
    const work = platform.observe({ ...stage.scene.options, remoteIds: [post] })
    const error = await stage.scene.errorOf(work)
    const fault = platform.classify(error, 'write', stage.scene.clock.now())
    expect(fault).toMatchObject({ landed: 'no', code: 'credentials', scope: 'account' })
    requireWithout('canary', error)
  })

  it('are not dead where the sign-in server is away', async () => {
    const { stage, post } = await ended()
    await using _ = stage
    const platform = allowAll(stage)
    await stage.server[Symbol.asyncDispose]()
    const work = platform.observe({ ...stage.scene.options, remoteIds: [post] })
    const fault = platform.classify(await stage.scene.errorOf(work), 'write', 0)
    expect(fault).toMatchObject({ landed: 'no', code: 'network_error' })
  })
})
