/** Follows real redirects: what each host gets to see, and which are never followed. */

import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { describe, expect, test } from 'vitest'
import { createGuardedFetch } from '../src/platform/guarded-fetch.ts'
import type { FetchLimits } from '../src/platform/guarded-fetch.ts'
import { failureOf, kindAndSent } from './guarded-fetch/failure.ts'
import { ManualClock } from './guarded-fetch/manual-clock.ts'
import { answerBytes, serve, serveBytes } from './guarded-fetch/servers.ts'
import type { LocalServer } from './guarded-fetch/servers.ts'

interface Visit {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface RecordingServer extends LocalServer {
  readonly visits: readonly Visit[]
}

/** Keeps what came, and redirects `/<status>/<location>`; anything else is the end. */
async function serveRedirects(): Promise<RecordingServer> {
  const visits: Visit[] = []
  const listener: RequestListener = (request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      visits.push({ line: `${request.method} ${request.url}`, headers: request.headers, body })
      const match = /^\/(3\d\d)\/(.*)$/.exec(request.url ?? '')
      if (match === null) response.end('arrived')
      else {
        const location = decodeURIComponent(match[2] ?? '')
        response.writeHead(Number(match[1]), location === '' ? {} : { location }).end('moved')
      }
    })
  }
  return { ...(await serve(listener)), visits }
}

const fetchFor = (servers: readonly LocalServer[], limits: Partial<FetchLimits> = {}) =>
  createGuardedFetch({
    allowHosts: servers.map(({ host }) => host),
    clock: new ManualClock(),
    limits,
  })

const via = (server: LocalServer, status: number, location: string) =>
  `${server.url}/${status}/${encodeURIComponent(location)}`

const headers = { authorization: 'Bearer token', cookie: 'a=b', 'x-api-key': 'k', accept: 'a/b' }

describe('a read', () => {
  test.each([301, 302, 303, 307, 308])(
    'follows a %i on the same origin as it is',
    async (status) => {
      await using server = await serveRedirects()
      const response = await fetchFor([server])(via(server, status, '/end?q=1'), { headers })
      expect([response.status, response.text()]).toEqual([200, 'arrived'])
      expect(response.where).toBe(`${server.url}/end`)
      expect(server.visits[1]?.line).toBe('GET /end?q=1')
      expect(server.visits[1]?.headers).toMatchObject(headers)
    },
  )

  test('leaves its credentials behind on the way to another origin', async () => {
    await using first = await serveRedirects()
    await using second = await serveRedirects()
    await fetchFor([first, second])(via(first, 302, `${second.url}/end`), { headers })
    expect(first.visits[0]?.headers.authorization).toBe('Bearer token')
    expect(second.visits.map(({ headers: seen }) => Object.keys(seen).sort())).toEqual([
      ['accept', 'accept-encoding', 'connection', 'host', 'user-agent'],
    ])
    expect(second.visits[0]?.headers.host).toBe(second.host)
  })

  test('follows as many as it may, and not one more', async () => {
    await using server = await serveRedirects()
    const twice = via(server, 302, via(server, 302, '/end'))
    expect((await fetchFor([server], { redirects: 2 })(twice)).text()).toBe('arrived')
    const error = await failureOf(fetchFor([server], { redirects: 1 })(twice))
    expect([error.kind, error.sent]).toEqual(['bad_redirect', true])
    expect(error.message).toContain('more than 1 redirect')
    expect(server.visits).toHaveLength(3 + 2)
  })

  test('does not go round in circles', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(302, { location: '/again' }).end()
    })
    expect(await kindAndSent(fetchFor([server])(server.url))).toEqual(['bad_redirect', true])
    expect(server.connections()).toBe(6)
  })

  test.each([
    ['https://10.0.0.1/', 'refused_address'],
    ['https://169.254.169.254/latest/meta-data/', 'refused_address'],
    ['https://[::1]/', 'refused_address'],
    ['https://2130706433/', 'refused_address'],
    ['http://169.254.169.254/', 'bad_redirect'],
    ['file:///etc/passwd', 'bad_redirect'],
    ['https://a:b@social.example/', 'bad_redirect'],
    ['https://', 'bad_redirect'],
    ['', 'bad_redirect'],
  ])('is not led to %j', async (location, kind) => {
    await using server = await serveRedirects()
    const call = fetchFor([server])(via(server, 302, location))
    expect(await kindAndSent(call)).toEqual([kind, true])
  })

  test('is not led to another port of this machine', async () => {
    await using server = await serveRedirects()
    await using inner = await serveRedirects()
    const fetch = fetchFor([server])
    const plain = fetch(via(server, 302, inner.url))
    expect(await kindAndSent(plain)).toEqual(['bad_redirect', true])
    const secure = fetch(via(server, 302, `https://${inner.host}/`))
    expect(await kindAndSent(secure)).toEqual(['refused_address', true])
    expect(inner.connections()).toBe(0)
  })

  test('does not wait for the page that comes with a redirect', async () => {
    await using last = await serve((_request, response) => response.end('arrived'))
    const endless = `HTTP/1.1 302 Found\r\nlocation: ${last.url}\r\ncontent-length: 9\r\n\r\n`
    await using first = await serveBytes(answerBytes(endless))
    expect((await fetchFor([first, last])(first.url)).text()).toBe('arrived')
    await first.disconnected
  })

  test('gets the redirect itself where it asks for that', async () => {
    await using server = await serveRedirects()
    const url = via(server, 302, '/end')
    const response = await fetchFor([server])(url, { redirect: 'manual' })
    expect([response.status, response.header('location')]).toEqual([302, '/end'])
    expect(response.text()).toBe('moved')
    expect(server.visits).toHaveLength(1)
  })

  test('takes 300 and 304 for answers', async () => {
    await using server = await serveRedirects()
    for (const status of [300, 304]) {
      const response = await fetchFor([server])(via(server, status, '/end'))
      expect(response.status).toBe(status)
    }
  })
})

describe('a write', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'] as const)(
    '%s is not sent again: the redirect is its answer',
    async (method) => {
      await using server = await serveRedirects()
      for (const status of [301, 302, 303, 307, 308]) {
        const response = await fetchFor([server])(via(server, status, '/end'), { method })
        expect(response.status).toBe(status)
      }
      expect(server.visits).toHaveLength(5)
      expect(server.visits.filter(({ line }) => line.includes('/end'))).toEqual([])
    },
  )

  test('is sent again with its body where the caller asks for that', async () => {
    await using server = await serveRedirects()
    const options = { method: 'POST', body: 'text', redirect: 'follow' } as const
    await fetchFor([server])(via(server, 308, '/end'), options)
    expect(server.visits.map(({ line, body }) => `${line} ${body}`).at(-1)).toBe('POST /end text')
  })

  test('never carries its body to another origin', async () => {
    await using first = await serveRedirects()
    await using second = await serveRedirects()
    const options = { method: 'POST', body: 'secret', redirect: 'follow' } as const
    const call = fetchFor([first, second])(via(first, 307, second.url), options)
    expect(await kindAndSent(call)).toEqual(['bad_redirect', true])
    expect(second.connections()).toBe(0)
  })
})
