/** Holds calls to their limits of time and size, against servers that keep to none. */

import type { RequestListener } from 'node:http'
import type { Writable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hourMs } from '../src/core/duration.ts'
import { createGuardedFetch, standardLimits } from '../src/platform/guarded-fetch.ts'
import type { FetchLimits } from '../src/platform/guarded-fetch.ts'
import { failureOf, kindAndSent } from './guarded-fetch/failure.ts'
import { ManualClock } from './guarded-fetch/manual-clock.ts'
import { answerBytes, serve, serveBytes } from './guarded-fetch/servers.ts'
import type { LocalServer } from './guarded-fetch/servers.ts'

function fetchFrom(server: LocalServer, limits: Partial<FetchLimits> = {}) {
  const clock = new ManualClock()
  const fetch = createGuardedFetch({ allowHosts: [server.host], clock, limits })
  return { clock, fetch }
}

/** Runs the handler, and tells when the first request has come. */
async function serveAndTell(listener: RequestListener) {
  const arrived = Promise.withResolvers<void>()
  const server = await serve((request, response) => {
    listener(request, response)
    arrived.resolve()
  })
  return { ...server, arrived: arrived.promise }
}

/** Writes chunks until the other side has had enough. */
function writeForEver(stream: Writable, chunk: Buffer): void {
  const pour = () => {
    while (!stream.destroyed && stream.write(chunk)) continue
  }
  stream.on('drain', pour)
  pour()
}

describe('time', () => {
  test('a name service that does not answer', async () => {
    const clock = new ManualClock()
    const hanging = () => new Promise<never>(() => {})
    const fetch = createGuardedFetch({ allowHosts: [], clock, lookup: hanging })
    const call = failureOf(fetch('https://social.example/'))
    clock.advance(standardLimits.connectMs)
    const error = await call
    expect([error.kind, error.sent]).toEqual(['timeout', false])
    expect(error.message).toContain('connecting took longer than 10 s')
    expect(clock.sleepers).toBe(0)
  })

  test('a handshake that never ends', async () => {
    const arrived = Promise.withResolvers<void>()
    await using server = await serveBytes((socket) => socket.once('data', () => arrived.resolve()))
    const { clock, fetch } = fetchFrom(server)
    const call = failureOf(fetch(`https://${server.host}/`))
    await arrived.promise
    clock.advance(standardLimits.connectMs)
    const error = await call
    expect([error.kind, error.sent]).toEqual(['timeout', false])
    await server.disconnected
  })

  test('an answer that does not begin', async () => {
    await using server = await serveAndTell(() => {})
    const { clock, fetch } = fetchFrom(server)
    const call = failureOf(fetch(server.url, { method: 'POST', body: 'x' }))
    await server.arrived
    clock.advance(standardLimits.headMs - 1)
    expect(clock.sleepers).toBe(2)
    clock.advance(1)
    const error = await call
    expect([error.kind, error.sent]).toEqual(['timeout', true])
    expect(error.message).toContain('waiting for an answer took longer than 20 s')
    await server.disconnected
  })

  test('a head that never ends', async () => {
    const arrived = Promise.withResolvers<void>()
    await using server = await serveBytes((socket) =>
      socket.once('data', () =>
        socket.write('HTTP/1.1 200 OK\r\nx: y\r\n', () => arrived.resolve()),
      ),
    )
    const { clock, fetch } = fetchFrom(server)
    const call = failureOf(fetch(server.url))
    await arrived.promise
    clock.advance(standardLimits.headMs)
    expect((await call).kind).toBe('timeout')
  })

  test.each(['identity', 'gzip'])('a body that never ends (%s)', async (coding) => {
    await using server = await serveAndTell((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding })
      response.write(coding === 'gzip' ? gzipSync('x').subarray(0, 10) : 'x')
    })
    const { clock, fetch } = fetchFrom(server, { headMs: hourMs })
    const call = failureOf(fetch(server.url, { timeoutMs: 5000 }))
    await server.arrived
    clock.advance(5000)
    const error = await call
    expect([error.kind, error.sent]).toEqual(['timeout', true])
    expect(error.message).toContain('the whole call took longer than 5 s')
    await server.disconnected
    expect(clock.sleepers).toBe(0)
  })

  test('redirects share the time of the whole call', async () => {
    let count = 0
    const clock = new ManualClock()
    await using server = await serve((_request, response) => {
      count += 1
      clock.advance(10_000)
      response.writeHead(302, { location: '/' }).end()
    })
    const fetch = createGuardedFetch({
      allowHosts: [server.host],
      clock,
      limits: { redirects: 100 },
    })
    expect(await kindAndSent(fetch(server.url))).toEqual(['timeout', true])
    expect(count).toBe(3)
  })
})

describe('giving up', () => {
  test('before the call: nothing is looked up or sent', async () => {
    const asked: string[] = []
    const lookup = async (hostname: string) => {
      asked.push(hostname)
      return [{ address: '127.0.0.1' }]
    }
    const clock = new ManualClock()
    const fetch = createGuardedFetch({ allowHosts: ['pds.example'], clock, lookup })
    const call = fetch('http://pds.example:1/', { signal: AbortSignal.abort() })
    expect(await kindAndSent(call)).toEqual(['aborted', false])
    expect(asked).toEqual([])
    expect(clock.sleepers).toBe(0)
  })

  test('during the handshake: nothing was sent', async () => {
    const stop = new AbortController()
    await using server = await serveBytes((socket) => socket.once('data', () => stop.abort()))
    const { fetch } = fetchFrom(server)
    const call = fetch(`https://${server.host}/`, { signal: stop.signal })
    expect(await kindAndSent(call)).toEqual(['aborted', false])
    await server.disconnected
  })

  test('while waiting for the answer: it was sent', async () => {
    const stop = new AbortController()
    await using server = await serve(() => stop.abort())
    const { fetch } = fetchFrom(server)
    const call = fetch(server.url, { method: 'POST', signal: stop.signal })
    expect(await kindAndSent(call)).toEqual(['aborted', true])
    await server.disconnected
  })

  test('in the middle of the body', async () => {
    const stop = new AbortController()
    await using server = await serve((_request, response) => {
      response.write('x', () => stop.abort())
    })
    const { fetch } = fetchFrom(server)
    expect(await kindAndSent(fetch(server.url, { signal: stop.signal }))).toEqual(['aborted', true])
    await server.disconnected
  })

  test('after the answer changes nothing', async () => {
    const stop = new AbortController()
    await using server = await serve((_request, response) => response.end('x'))
    const response = await fetchFrom(server).fetch(server.url, { signal: stop.signal })
    stop.abort()
    expect(response.text()).toBe('x')
  })
})

describe('size', () => {
  const maximumBytes = 10_000

  test.each(['x'.repeat(maximumBytes), ''])('a body of just the limit is read', async (body) => {
    await using server = await serve((_request, response) => response.end(body))
    const response = await fetchFrom(server).fetch(server.url, { maximumBytes })
    expect(response.size).toBe(body.length)
  })

  test('a body that says it is larger is not read at all', async () => {
    const head = `HTTP/1.1 200 OK\r\ncontent-length: ${maximumBytes + 1}\r\n\r\n`
    await using server = await serveBytes(answerBytes(head))
    const call = fetchFrom(server).fetch(server.url, { maximumBytes })
    const error = await failureOf(call)
    expect([error.kind, error.sent]).toEqual(['too_large', true])
    expect(error.message).toContain('the body is larger than 10,000 bytes')
    await server.disconnected
  })

  test('a HEAD may speak of a body that is larger', async () => {
    await using server = await serveBytes(
      answerBytes(`HTTP/1.1 200 OK\r\ncontent-length: ${maximumBytes + 1}\r\n\r\n`),
    )
    const response = await fetchFrom(server).fetch(server.url, { method: 'HEAD', maximumBytes })
    expect(response.header('content-length')).toBe('10001')
  })

  test('one byte too many, in chunks', async () => {
    await using server = await serve((_request, response) => {
      response.write('x'.repeat(maximumBytes))
      response.end('x')
    })
    const call = fetchFrom(server).fetch(server.url, { maximumBytes })
    expect(await kindAndSent(call)).toEqual(['too_large', true])
  })

  test('an endless body is cut off', async () => {
    await using server = await serve((_request, response) => {
      writeForEver(response, Buffer.alloc(64 * 1024))
    })
    const call = fetchFrom(server).fetch(server.url)
    expect(await kindAndSent(call)).toEqual(['too_large', true])
    await server.disconnected
  })

  test('an endless body of single bytes is cut off', async () => {
    const chunks = Buffer.from('1\r\nx\r\n'.repeat(1000))
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
    await using server = await serveBytes((socket) => {
      socket.write(head)
      writeForEver(socket, chunks)
    })
    const call = fetchFrom(server).fetch(server.url, { maximumBytes: 100_000 })
    expect(await kindAndSent(call)).toEqual(['too_large', true])
    await server.disconnected
  })

  test('a small body that unpacks to a large one is cut off', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(maximumBytes)
    await using server = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip')
      response.end(bomb)
    })
    const call = fetchFrom(server).fetch(server.url, { maximumBytes })
    expect(await kindAndSent(call)).toEqual(['too_large', true])
  })

  test('a packed body that never stops unpacking is cut off', async () => {
    await using server = await serve((_request, response) => {
      response.setHeader('content-encoding', 'gzip')
      const gzip = createGzip()
      gzip.pipe(response)
      response.on('close', () => gzip.destroy())
      writeForEver(gzip, Buffer.alloc(1024 * 1024))
    })
    const call = fetchFrom(server).fetch(server.url)
    expect(await kindAndSent(call)).toEqual(['too_large', true])
    await server.disconnected
  })

  test('a packed body that unpacks to nothing, for ever, is cut off by what comes in', async () => {
    // Empty stored blocks: five bytes each, and no output.
    const emptyBlocks = Buffer.from('000000ffff'.repeat(2000), 'hex')
    const head = 'HTTP/1.1 200 OK\r\ncontent-encoding: deflate\r\n\r\n'
    await using server = await serveBytes((socket) => {
      socket.write(Buffer.concat([Buffer.from(head), Buffer.from('789c', 'hex')]))
      writeForEver(socket, emptyBlocks)
    })
    const call = fetchFrom(server).fetch(server.url, { maximumBytes })
    expect(await kindAndSent(call)).toEqual(['too_large', true])
    await server.disconnected
  })
})
