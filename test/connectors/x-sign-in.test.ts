/** Signing in to X and replacing its tokens, after its public documentation (test/fixtures/x). */

import { describe, expect, it } from 'vitest'
import { secondMs } from '../../src/core/duration.ts'
import { credentialsWith, openFakeX } from './x/fake-suite.ts'
import { fixture } from './x/fixture.ts'
import { callOptions, faultOf } from './writes.ts'

describe('tokens', () => {
  it('are exchanged as X documents it, and a refresh token is used once', async () => {
    await using world = await openFakeX()
    const forms: URLSearchParams[] = []
    world.server.tokens.add('canary-access-2')
    world.server.tokenAnswer = (form) => {
      forms.push(form)
      return { status: 200, body: JSON.parse(fixture('token')) as Record<string, string> }
    }
    const expiresAt = world.clock.now()
    const credentials = credentialsWith({ refreshToken: 'canary-refresh-1', expiresAt })
    let stored = credentials
    const renew = async (exchange: (current: typeof stored) => Promise<typeof stored>) => {
      stored = await exchange(stored)
      return stored
    }
    const connection = { ...world.connection, credentials, renew }
    await world.platform.probe(callOptions({ connection }))
    await world.platform.probe(callOptions({ connection }))
    expect(forms.map((form) => Object.fromEntries(form))).toEqual([
      { grant_type: 'refresh_token', refresh_token: 'canary-refresh-1', client_id: 'client-1' },
    ])
    expect(JSON.parse(stored.reveal())).toMatchObject({ refreshToken: 'canary-refresh-2' })
  })

  it('are dead when X calls the refresh token invalid', async () => {
    await using world = await openFakeX()
    const refused = JSON.parse(fixture('token-refused')) as Record<string, string>
    world.server.tokenAnswer = () => ({ status: 400, body: refused })
    const expiresAt = world.clock.now()
    const credentials = credentialsWith({ refreshToken: 'canary-refresh-1', expiresAt })
    const connection = {
      ...world.connection,
      credentials,
      renew: (exchange: (current: typeof credentials) => Promise<typeof credentials>) =>
        exchange(credentials),
    }
    const fault = await faultOf(world, world.platform.probe(callOptions({ connection })), 'read')
    expect([fault.code, fault.scope]).toEqual(['credentials', 'account'])
  })
})

describe('signing in', () => {
  it('asks for a token that can be renewed, and gives an account that was probed', async () => {
    await using world = await openFakeX()
    const [way] = world.connector.signIns
    if (way?.kind !== 'browser') throw new Error('There is no page to agree on')
    const { signal } = new AbortController()
    const redirectUri = 'https://wind.example/back'
    const values = { clientId: 'client-1', clientSecret: 'canary-client-secret' }
    const visit = await way.begin(world.tools, { values, redirectUri, signal })
    const { searchParams } = new URL(visit.url)
    expect(searchParams.get('scope')?.split(' ')).toContain('offline.access')
    expect(visit.url + JSON.stringify(visit)).not.toContain('canary')
    world.server.tokens.add('canary-access-2')
    const answered = { status: 200, body: JSON.parse(fixture('token')) as Record<string, string> }
    world.server.tokenAnswer = () => answered
    const answer = `${redirectUri}?state=${visit.state}&code=code-1`
    const { handle, credentials } = await way.finish(world.tools, { ...visit, answer }, signal)
    expect(handle).toBe('@anna')
    expect(JSON.parse(credentials.reveal())).toMatchObject({
      refreshToken: 'canary-refresh-2',
      expiresAt: world.clock.now() + 7200 * secondMs,
    })
    const asked = world.proxy.requests.find(({ path }) => path === '/2/oauth2/token')
    const login = Buffer.from('client-1:canary-client-secret').toString('base64')
    expect(asked?.headers.authorization).toBe(`Basic ${login}`)
  })
})
