/** Signing in to a server of the Mastodon family, in both ways. */

import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/core/input-error.ts'
import type { SignIn, SignInValues } from '../../src/platform/connector.ts'
import { mastodon } from '../../src/platform/mastodon/index.ts'
import { challengeOf } from '../../src/platform/oauth/pkce.ts'
import { clientSecret } from './mastodon/fake-server.ts'
import { canary, openFake } from './mastodon/fake-suite.ts'
import type { FakeWorld } from './mastodon/fake-suite.ts'

const redirectUri = 'https://wind.example/back'
const { signal } = new AbortController()

function signInOf<Kind extends SignIn['kind']>(kind: Kind): SignIn & { readonly kind: Kind } {
  const found = mastodon.signIns.find((each) => each.kind === kind)
  if (found === undefined) throw new Error(`There is no way by ${kind}`)
  return found as SignIn & { readonly kind: Kind }
}

describe('signing in through the server’s page', () => {
  const way = signInOf('browser')
  const begin = (world: FakeWorld) =>
    way.begin(world.tools, { values: { server: world.proxy.url }, redirectUri, signal })

  it('leads there, and comes back with an account that was probed', async () => {
    await using world = await openFake()
    const visit = await begin(world)
    const { searchParams, pathname } = new URL(visit.url)
    expect(pathname).toBe('/oauth/authorize')
    const redeemed: URLSearchParams[] = []
    world.server.tokenAnswer = (form) => {
      redeemed.push(form)
      return { status: 200, body: { access_token: canary, token_type: 'Bearer' } }
    }
    const answer = `${redirectUri}?code=code-1&state=${visit.state}`
    const signedIn = await way.finish(world.tools, { pending: visit.pending, answer }, signal)
    expect(signedIn.handle).toBe('@anna@social.example')
    expect(signedIn.profile).toMatchObject({ software: 'mastodon' })
    const form = Object.fromEntries(redeemed[0] ?? [])
    expect(form).toMatchObject({ code: 'code-1', client_secret: clientSecret })
    expect(challengeOf(form['code_verifier'] ?? '')).toBe(searchParams.get('code_challenge'))
  })

  it('tells the page and the logs no secret', async () => {
    await using world = await openFake()
    const visit = await begin(world)
    expect(visit.url).not.toContain('canary')
    expect(JSON.stringify(visit)).not.toContain(clientSecret)
  })

  it('does not redeem a code that belongs to another visit', async () => {
    await using world = await openFake()
    const { pending } = await begin(world)
    const answer = `${redirectUri}?code=code-1&state=another`
    await expect(way.finish(world.tools, { pending, answer }, signal)).rejects.toThrow(InputError)
    expect(world.server.requests).not.toContain('POST /oauth/token')
  })
})

describe('signing in with a pasted token', () => {
  const way = signInOf('direct')
  const open = (world: FakeWorld, values: SignInValues) => way.open(world.tools, values, signal)

  it('gives credentials that work, and the profile', async () => {
    await using world = await openFake()
    const values = { server: `${world.proxy.url}/`, accessToken: ` ${canary} ` }
    const { credentials, profile } = await open(world, values)
    const connection = { ...world.connection, credentials, profile }
    const post = world.server.statuses.add({ status: 'A post' })
    const found = await world.platform.observe({ connection, signal, remoteIds: [post.id] })
    expect(found).toMatchObject([{ kind: 'live' }])
  })

  it.each([
    ['server', { server: '', accessToken: canary }],
    ['server', { server: 'https://anna:secret@social.example', accessToken: canary }],
    ['accessToken', { accessToken: '' }],
    ['accessToken', { accessToken: 'canary-wrong-token' }],
  ])('names the field that is wrong: %s', async (field, values) => {
    await using world = await openFake()
    const signingIn = open(world, { server: world.proxy.url, ...values })
    const error = await signingIn.catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(InputError)
    expect(error).toMatchObject({ field })
    expect(String(error)).not.toContain('canary')
  })
})
