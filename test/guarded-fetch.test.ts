/** Calls real local servers: what arrives there, what comes back, and which host is reached. */

import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingHttpHeaders, RequestListener } from 'node:http'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Secret } from '../src/core/secret.ts'
import type { Lookup } from '../src/platform/fetch/resolve.ts'
import { createGuardedFetch } from '../src/platform/guarded-fetch.ts'
import type { GuardedFetchSettings } from '../src/platform/guarded-fetch.ts'
import { failureOf, kindAndSent } from './guarded-fetch/failure.ts'
import { ManualClock } from './guarded-fetch/manual-clock.ts'
import { answerBytes, serve, serveBytes } from './guarded-fetch/servers.ts'

function fetchWith(settings: Partial<GuardedFetchSettings> = {}) {
  return createGuardedFetch({ allowHosts: [], clock: new ManualClock(), ...settings })
}

interface Seen {
  readonly line: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answers every request with what it was. */
const echo: RequestListener = (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const line = `${request.method} ${request.url}`
    const body = Buffer.concat(chunks).toString()
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ line, headers: request.headers, body } satisfies Seen))
  })
}

const lookupOf =
  (...addresses: readonly string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address }))

/** A port at which nobody listens any more. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

describe('a request', () => {
  test('arrives as it was asked for, and its answer comes back', async () => {
    await using server = await serve(echo)
    const response = await fetchWith({ allowHosts: [server.host] })(`${server.url}/a/b?c=d#e`, {
      method: 'POST',
      headers: { Authorization: new Secret('Bearer token'), 'Content-Type': 'text/plain' },
      body: new Secret('ä body'),
    })
    expect(response.status).toBe(200)
    expect(response.where).toBe(`${server.url}/a/b`)
    const seen = response.json() as unknown as Seen
    expect([seen.line, seen.body]).toEqual(['POST /a/b?c=d', 'ä body'])
    expect(seen.headers).toEqual({
      host: server.host,
      'accept-encoding': 'gzip, br',
      authorization: 'Bearer token',
      'content-type': 'text/plain',
      'content-length': '7',
      'user-agent': 'secondwind',
      connection: 'close',
    })
  })

  test.each([
    ['GET', undefined],
    ['DELETE', undefined],
    ['POST', '0'],
    ['PUT', '0'],
  ] as const)('%s without a body says so: a length of %s', async (method, length) => {
    await using server = await serve(echo)
    const response = await fetchWith({ allowHosts: [server.host] })(server.url, { method })
    const { headers } = response.json() as unknown as Seen
    expect(headers['content-length']).toBe(length)
    expect(headers['transfer-encoding']).toBeUndefined()
  })

  test('takes bytes as they are', async () => {
    await using server = await serve((request, response) => request.pipe(response))
    const body = Uint8Array.from({ length: 256 }, (_value, index) => index)
    const options = { method: 'PUT', body } as const
    const response = await fetchWith({ allowHosts: [server.host] })(server.url, options)
    expect(response.bytes()).toEqual(body)
  })

  test('has a connection of its own, which is closed afterwards, and leaves no timer', async () => {
    await using server = await serve(echo)
    const clock = new ManualClock()
    const fetch = fetchWith({ allowHosts: [server.host], clock })
    await fetch(server.url)
    await server.disconnected
    await fetch(server.url)
    expect(server.connections()).toBe(2)
    expect(clock.sleepers).toBe(0)
  })

  test('gets every status as an answer, and a HEAD only the head', async () => {
    await using server = await serve((request, response) => {
      response.writeHead(Number(request.url?.slice(1)), { 'x-several': ['a', 'b'] })
      response.end(request.method === 'HEAD' ? undefined : 'text')
    })
    const fetch = fetchWith({ allowHosts: [server.host] })
    for (const status of [200, 204, 304, 401, 404, 429, 500, 503]) {
      const response = await fetch(`${server.url}/${status}`)
      expect(response.status).toBe(status)
      expect(response.text()).toBe(status === 204 || status === 304 ? '' : 'text')
      expect(response.header('x-several')).toBe('a, b')
    }
    const head = await fetch(`${server.url}/200`, { method: 'HEAD' })
    expect([head.status, head.size]).toEqual([200, 0])
  })

  test('with a mistake in it is refused before anything is sent', async () => {
    await using server = await serve(echo)
    const fetch = fetchWith({ allowHosts: [server.host] })
    await expect(fetch(server.url, { timeoutMs: 0 })).rejects.toThrow('timeoutMs: must be above 0')
    await expect(fetch(server.url, { headers: { host: 'x' } })).rejects.toThrow('headers.host')
    expect(server.connections()).toBe(0)
  })
})

describe('a packed body', () => {
  const text = 'wind '.repeat(1000)
  test.each([
    ['gzip', gzipSync(text)],
    ['x-gzip', gzipSync(text)],
    ['GZIP', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', Buffer.from(text)],
  ])('in %s is unpacked', async (coding, body) => {
    await using server = await serve((_request, response) => {
      response.setHeader('content-encoding', coding)
      response.end(body)
    })
    const response = await fetchWith({ allowHosts: [server.host] })(server.url)
    expect(response.text()).toBe(text)
  })

  test.each(['gzip', 'br', 'deflate'])('in %s may be empty', async (coding) => {
    await using server = await serve((_request, response) => {
      response.setHeader('content-encoding', coding)
      response.end()
    })
    const response = await fetchWith({ allowHosts: [server.host] })(server.url)
    expect([response.status, response.size]).toEqual([200, 0])
  })

  test.each([
    ['gzip', Buffer.from('not gzip')],
    ['gzip', gzipSync(text).subarray(0, 30)],
    ['br', Buffer.from('not brotli at all, no')],
    ['br', brotliCompressSync(text).subarray(0, 10)],
    ['deflate', Buffer.from('not deflate')],
    ['gzip, gzip', gzipSync(gzipSync(text))],
    ['compress', Buffer.from('x')],
    ['constructor', Buffer.from('x')],
  ])('in %s that does not unpack is malformed', async (coding, body) => {
    await using server = await serve((_request, response) => {
      response.setHeader('content-encoding', coding)
      response.end(body)
    })
    const call = fetchWith({ allowHosts: [server.host] })(server.url)
    expect(await kindAndSent(call)).toEqual(['malformed', true])
  })
})

describe('a host that the owner did not allow', () => {
  test('is not reached over plain HTTP', async () => {
    await using server = await serve(echo)
    expect(await kindAndSent(fetchWith()(server.url))).toEqual(['bad_url', false])
    expect(server.connections()).toBe(0)
  })

  test.each([
    'https://127.0.0.1:PORT/',
    'https://localhost:PORT/',
    'https://2130706433:PORT/',
    'https://0x7f.1:PORT/',
    'https://[::ffff:127.0.0.1]:PORT/',
    'https://inside.example:PORT/',
  ])('is not reached as %s', async (url) => {
    await using server = await serve(echo)
    const fetch = fetchWith({ lookup: lookupOf('1.1.1.1', '127.0.0.1') })
    const call = fetch(url.replace('PORT', String(server.port)))
    expect(await kindAndSent(call)).toEqual(['refused_address', false])
    expect(server.connections()).toBe(0)
  })

  test('is not reached by a name that only this machine knows', async () => {
    await using server = await serve(echo)
    const call = fetchWith()(`https://localhost:${server.port}/`)
    expect(await kindAndSent(call)).toEqual(['refused_address', false])
    expect(server.connections()).toBe(0)
  })

  test('is not reached on another port of a host that is', async () => {
    await using server = await serve(echo)
    const fetch = fetchWith({ allowHosts: ['127.0.0.1:1'] })
    expect(await kindAndSent(fetch(server.url))).toEqual(['bad_url', false])
    const secure = fetch(`https://${server.host}`)
    expect(await kindAndSent(secure)).toEqual(['refused_address', false])
    expect(server.connections()).toBe(0)
  })
})

describe('a name that answers differently each time', () => {
  test('is asked once, and the connection goes to what was checked', async () => {
    await using server = await serve(echo)
    const answers = ['127.0.0.1', '127.0.0.2']
    const asked: string[] = []
    const lookup: Lookup = async (hostname) => {
      asked.push(hostname)
      return [{ address: answers.shift() ?? '127.0.0.3' }]
    }
    const host = `rebinding.example:${server.port}`
    const response = await fetchWith({ allowHosts: [host], lookup })(`http://${host}/`)
    expect((response.json() as unknown as Seen).headers.host).toBe(host)
    expect(asked).toEqual(['rebinding.example'])
    expect(server.connections()).toBe(1)
  })

  test('is asked and checked again at each redirect', async () => {
    await using server = await serve((_request, response) => {
      response.writeHead(302, { location: `https://rebinding.example:${server.port}/` }).end()
    })
    const answers = ['1.1.1.1', '127.0.0.1']
    const asked: string[] = []
    const lookup: Lookup = async (hostname) => {
      asked.push(hostname)
      return hostname === 'start.example'
        ? [{ address: '127.0.0.1' }]
        : answers.map((address) => ({ address }))
    }
    const host = `start.example:${server.port}`
    const call = fetchWith({ allowHosts: [host], lookup })(`http://${host}/`)
    expect(await kindAndSent(call)).toEqual(['refused_address', true])
    expect(asked).toEqual(['start.example', 'rebinding.example'])
    expect(server.connections()).toBe(1)
  })

  test('with several addresses is reached at the one that answers', async () => {
    await using server = await serve(echo)
    const host = `several.example:${server.port}`
    const lookup = lookupOf('127.0.0.2', '127.0.0.1')
    const response = await fetchWith({ allowHosts: [host], lookup })(`http://${host}/`)
    expect(response.status).toBe(200)
  })
})

describe('a failure says whether anything was sent', () => {
  test('no: nobody listens', async () => {
    const host = `127.0.0.1:${await closedPort()}`
    const error = await failureOf(fetchWith({ allowHosts: [host] })(`http://${host}/a?b=c`))
    expect([error.kind, error.sent, error.code]).toEqual(['connect', false, 'ECONNREFUSED'])
    expect(error.message).toBe(`http://${host}/a: no connection could be made (ECONNREFUSED)`)
  })

  test('no: the name is not known', async () => {
    const lookup: Lookup = async () => {
      throw Object.assign(new Error('not known'), { code: 'ENOTFOUND' })
    }
    const error = await failureOf(fetchWith({ lookup })('https://nowhere.example/'))
    expect([error.kind, error.sent, error.code]).toEqual(['dns', false, 'ENOTFOUND'])
  })

  test('yes: the connection closes without an answer', async () => {
    await using server = await serveBytes((socket) => socket.once('data', () => socket.end()))
    const call = fetchWith({ allowHosts: [server.host] })(server.url)
    expect(await kindAndSent(call)).toEqual(['reset', true])
  })

  test('yes: the connection is reset', async () => {
    await using server = await serveBytes((socket) =>
      socket.once('data', () => socket.resetAndDestroy()),
    )
    const call = fetchWith({ allowHosts: [server.host] })(server.url, { method: 'POST', body: 'x' })
    expect(await kindAndSent(call)).toEqual(['reset', true])
  })

  test.each([
    ['length', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'],
    ['chunked', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n'],
    ['gzip', 'HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 10\r\n\r\n\x1f\x8b\b'],
  ])('yes: the body breaks off (%s)', async (_name, bytes) => {
    await using server = await serveBytes((socket) =>
      socket.once('data', () => socket.end(Buffer.from(bytes, 'latin1'))),
    )
    const call = fetchWith({ allowHosts: [server.host] })(server.url)
    expect(await kindAndSent(call)).toEqual(['reset', true])
  })

  test.each([
    ['SSH-2.0-OpenSSH_9.9\r\n', 'malformed'],
    ['HTTP/1.1 abc\r\n\r\n', 'malformed'],
    ['HTTP/1.1 200 OK\r\ncontent-length: x\r\n\r\n', 'malformed'],
    ['HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 'malformed'],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 'malformed'],
    ['HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', 'malformed'],
    [`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`, 'too_large'],
  ])('yes: the answer is no good: %j', async (bytes, kind) => {
    await using server = await serveBytes(answerBytes(bytes))
    const call = fetchWith({ allowHosts: [server.host] })(server.url)
    expect(await kindAndSent(call)).toEqual([kind, true])
  })
})

describe('a proxy named in the environment', () => {
  const program = join(import.meta.dirname, 'guarded-fetch/fetch-once.ts')

  test.each([
    ['is not used', 'guarded', { answer: '200', atProxy: false, atServer: true }],
    ['would be used by Node', 'plain', { answer: 'failed', atProxy: true, atServer: false }],
  ])('%s', async (_name, how, expected) => {
    await using server = await serve(echo)
    await using proxy = await serveBytes((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')),
    )
    const env = {
      PATH: process.env['PATH'] ?? '',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: proxy.url,
      HTTPS_PROXY: proxy.url,
      http_proxy: proxy.url,
      all_proxy: proxy.url,
    }
    const run = promisify(execFile)
    const { stdout: answer } = await run(process.execPath, [program, how, server.url], { env })
    const atProxy = proxy.connections() > 0
    expect({ answer, atProxy, atServer: server.connections() > 0 }).toEqual(expected)
  })
})
