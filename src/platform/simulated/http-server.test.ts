/** Shows how the simulated network behaves as a server. */

import { describe, expect, it } from 'vitest'
import { minuteMs } from '../../core/duration.ts'
import { Scene } from '../../testing/platform/scene.ts'
import { connectOverHttp } from './http-client.ts'
import { serveNetwork } from './http-server.ts'

const timeline = JSON.stringify({ kind: 'timeline', since: 0 })
const signedIn = { authorization: 'Bearer a', 'x-account': 'anna' }

function post(url: string, path: string, body: string, headers: Record<string, string> = {}) {
  return fetch(url + path, { method: 'POST', body, headers })
}

describe('a served network', () => {
  it('listens on this machine alone, until it is closed', async () => {
    const scene = new Scene('full')
    const served = await serveNetwork(scene.simulation.delivery)
    expect(new URL(served.url).hostname).toBe('127.0.0.1')
    expect((await post(served.url, '/calls/timeline', timeline, signedIn)).status).toBe(200)
    await served.close()
    const { profile } = scene.simulation
    const remote = connectOverHttp({ profile, url: served.url })
    const reading = remote.discover({ ...scene.options, since: 0 })
    const fault = await scene.faultOf(reading, 'write')
    expect(fault).toMatchObject({ landed: 'no', code: 'network_error', scope: 'platform' })
  })

  it('answers only those who sign in', async () => {
    const scene = new Scene('full')
    await using served = await serveNetwork(scene.simulation.delivery)
    const statuses = []
    for (const headers of [{}, { ...signedIn, authorization: 'Bearer x' }, signedIn]) {
      statuses.push((await post(served.url, '/calls/timeline', timeline, headers)).status)
    }
    expect(statuses).toEqual([401, 401, 200])
  })

  it.each([
    ['/calls/timeline', 'no JSON'],
    ['/calls/timeline', '{"kind":"timeline"}'],
    ['/calls/remove', timeline],
    ['/elsewhere', timeline],
  ])('refuses what is no call: %s %s', async (path, body) => {
    const scene = new Scene('full')
    await using served = await serveNetwork(scene.simulation.delivery)
    expect((await post(served.url, path, body, signedIn)).status).toBe(400)
    expect(scene.truth.calls()).toBe(0)
  })

  it('hangs up on a body without end', async () => {
    await using served = await serveNetwork(new Scene('full').simulation.delivery)
    const endless = 'x'.repeat(2 * 1024 * 1024)
    await expect(post(served.url, '/calls/timeline', endless, signedIn)).rejects.toThrow(
      'fetch failed',
    )
  })

  it('tells in its headers how many calls are left, and when to come back', async () => {
    const scene = new Scene('full')
    await using served = await serveNetwork(scene.simulation.delivery)
    const first = await post(served.url, '/calls/timeline', timeline, signedIn)
    expect(first.headers.get('ratelimit-limit')).toBe('300')
    expect(first.headers.get('ratelimit-remaining')).toBe('299')
    const resetAt = new Date(scene.clock.now() + 5 * minuteMs).toISOString()
    expect(first.headers.get('ratelimit-reset')).toBe(resetAt)
    for (let call = 0; call < 299; call += 1)
      await scene.platform.discover({ ...scene.options, since: 0 })
    const last = await post(served.url, '/calls/timeline', timeline, signedIn)
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '300'])
  })

  it('gives the same answers as the network in this process', async () => {
    const scene = new Scene('full')
    const { profile, delivery } = scene.simulation
    await using served = await serveNetwork(delivery)
    const remote = connectOverHttp({ profile, url: served.url })
    const posts = [scene.publish('One'), scene.publish('Zwei 🌱'), scene.publish('Gone')]
    scene.world.remove(posts[2] as string)
    scene.world.replyByHand(posts[0] as string, 'By hand')
    await scene.clock.advance(30 * minuteMs)
    const options = { ...scene.options, remoteIds: posts, since: 0 }
    expect(await remote.observe(options)).toEqual(await scene.platform.observe(options))
    expect(await remote.discover(options)).toEqual(await scene.platform.discover(options))
  })
})
