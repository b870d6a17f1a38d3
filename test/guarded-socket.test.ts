/** Talks to real local servers over WebSockets: what arrives, where it may go, and how it ends. */

import { once } from 'node:events'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { WebSocketServer } from 'ws'
import type { FetchError } from '../src/platform/fetch/fetch-error.ts'
import { AnswerError } from '../src/platform/fetch/guarded-response.ts'
import { createGuardedSocket } from '../src/platform/fetch/guarded-socket.ts'
import type { Conversation, GuardedSocketSettings } from '../src/platform/fetch/guarded-socket.ts'
import type { Lookup } from '../src/platform/fetch/resolve.ts'
import { certify } from './guarded-fetch/certificate.ts'
import { failureOf, kindAndSent } from './guarded-fetch/failure.ts'
import { ManualClock } from './guarded-fetch/manual-clock.ts'
import { answerBytes, serve, serveBytes } from './guarded-fetch/servers.ts'

const { signal } = new AbortController()

interface SocketServer extends AsyncDisposable {
  readonly host: string
  readonly url: string
}

async function listen(onVisit: (socket: WebSocket, headers: object) => void) {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  server.on('connection', (socket, request) => onVisit(socket, request.headers))
  await once(server, 'listening')
  return served(server, (server.address() as AddressInfo).port, 'ws')
}

function served(server: WebSocketServer, port: number, scheme: string): SocketServer {
  const host = `127.0.0.1:${port}`
  return {
    host,
    url: `${scheme}://${host}`,
    async [Symbol.asyncDispose]() {
      for (const client of server.clients) client.terminate()
      server.close()
      await once(server, 'close')
    },
  }
}

const echo = (socket: WebSocket) =>
  socket.on('message', (data: Buffer) => socket.send(`${data.toString()}!`))

function socketFor({ host }: { host: string }, settings: Partial<GuardedSocketSettings> = {}) {
  return createGuardedSocket({ allowHosts: [host], clock: new ManualClock(), ...settings })
}

/** Sends a word and waits for the answer. */
async function askOnce(conversation: Conversation): Promise<string> {
  conversation.send('Hello')
  return conversation.receive()
}

describe('a conversation', () => {
  test('goes to and fro, in order, and is closed at its end', async () => {
    const closed = Promise.withResolvers<number>()
    let userAgent: unknown = null
    await using server = await listen((socket, headers) => {
      userAgent = (headers as Record<string, unknown>)['user-agent']
      echo(socket)
      socket.on('close', closed.resolve)
    })
    const heard = await socketFor(server)(`${server.url}/path`, { signal }, async (line) => {
      expect(line.hasSent).toBe(false)
      line.send('one')
      line.send('two')
      return [await line.receive(), await line.receive(), line.hasSent]
    })
    expect(heard).toEqual(['one!', 'two!', true])
    expect(userAgent).toBe('secondwind')
    // 1005: a goodbye without a reason, and not a broken connection.
    expect(await closed.promise).toBe(1005)
  })

  test('is closed where the talk fails, and fails as the talk did', async () => {
    const closed = Promise.withResolvers<number>()
    await using server = await listen((socket) => socket.on('close', closed.resolve))
    const talk = socketFor(server)(server.url, { signal }, () => Promise.reject(new Error('mine')))
    await expect(talk).rejects.toThrow('mine')
    expect(await closed.promise).toBe(1005)
  })

  test('gives out what came before the other side hung up', async () => {
    await using server = await listen((socket) => {
      socket.send('last words')
      socket.close()
    })
    const talk = socketFor(server)(server.url, { signal }, async (line) => {
      const words = await line.receive()
      return [words, await line.receive().catch((error: FetchError) => error.kind)]
    })
    expect(await talk).toEqual(['last words', 'reset'])
  })

  test('leaves no deadline behind', async () => {
    const clock = new ManualClock()
    await using server = await listen(echo)
    await socketFor(server, { clock })(server.url, { signal }, askOnce)
    expect(clock.sleepers).toBe(0)
  })
})

describe('where it may go', () => {
  const talk = async () => 'talked'
  const lookupOf =
    (address: string): Lookup =>
    async () => [{ address }]
  const open = (settings: Partial<GuardedSocketSettings> = {}) => {
    return createGuardedSocket({ allowHosts: [], clock: new ManualClock(), ...settings })
  }

  test.each([
    ['ws to a host that is not allowed', 'ws://relay.example', 'bad_url'],
    ['another protocol', 'https://relay.example', 'bad_url'],
    ['a login', 'wss://me:secret@relay.example', 'bad_url'],
    ['no address', 'relay', 'bad_url'],
    ['this machine', 'wss://127.0.0.1', 'refused_address'],
    ['this machine in disguise', 'wss://2130706433', 'refused_address'],
  ])('%s is refused, and nothing is sent', async (_, url, kind) => {
    const failure = await failureOf(open()(url, { signal }, talk))
    expect([failure.kind, failure.sent]).toEqual([kind, false])
    expect(failure.message).not.toContain('secret')
  })

  test('a name that leads inside is refused', async () => {
    const guarded = open({ lookup: lookupOf('169.254.169.254') })
    const call = guarded('wss://relay.example', { signal }, talk)
    expect(await kindAndSent(call)).toEqual(['refused_address', false])
  })

  test('a name is asked for once, and its answer is where it goes', async () => {
    await using server = await listen(echo)
    const asked: string[] = []
    const lookup: Lookup = async (name) => {
      asked.push(name)
      return [{ address: '127.0.0.1' }]
    }
    const port = new URL(server.url).port
    const guarded = open({ lookup, allowHosts: ['relay.example'] })
    const answer = await guarded(`ws://relay.example:${port}`, { signal }, askOnce)
    expect([answer, asked]).toEqual(['Hello!', ['relay.example']])
  })

  test('a redirect is not followed', async () => {
    let visits = 0
    await using elsewhere = await listen(() => (visits += 1))
    await using server = await serve((_, response) => {
      response.writeHead(302, { location: elsewhere.url }).end()
    })
    const url = server.url.replace('http', 'ws')
    const guarded = open({ allowHosts: [server.host, elsewhere.host] })
    const error = await guarded(url, { signal }, talk).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(AnswerError)
    expect((error as AnswerError).response.status).toBe(302)
    expect(visits).toBe(0)
  })
})

describe('over TLS', () => {
  async function listenSecurely(name: string) {
    const { key, certificate } = certify(name)
    const web = createHttpsServer({ key, cert: certificate }).listen(0, '127.0.0.1')
    await once(web, 'listening')
    const server = new WebSocketServer({ server: web })
    server.on('connection', echo)
    const { port } = web.address() as AddressInfo
    const close = async () => {
      for (const client of server.clients) client.terminate()
      web.close()
      await once(web, 'close')
    }
    return { port, certificate, [Symbol.asyncDispose]: close }
  }
  const lookup: Lookup = async () => [{ address: '127.0.0.1' }]
  const clock = new ManualClock()
  const allowHosts = ['relay.example']

  test('it talks to a host whose certificate is trusted', async () => {
    await using server = await listenSecurely('relay.example')
    const certificates = [server.certificate]
    const guarded = createGuardedSocket({ allowHosts, clock, lookup, certificates })
    const url = `wss://relay.example:${server.port}`
    expect(await guarded(url, { signal }, askOnce)).toBe('Hello!')
  })

  test.each([
    ['not trusted', 'relay.example', false],
    ['for another name', 'other.example', true],
  ])('a certificate that is %s ends it before anything is sent', async (_, name, isTrusted) => {
    await using server = await listenSecurely(name)
    const certificates = isTrusted ? [server.certificate] : []
    const guarded = createGuardedSocket({ allowHosts, clock, lookup, certificates })
    const call = guarded(`wss://relay.example:${server.port}`, { signal }, askOnce)
    expect(await kindAndSent(call)).toEqual(['tls', false])
  })
})

describe('how it can end', () => {
  test('a server that does not want to talk says why', async () => {
    await using server = await serve((_, response) => {
      response.writeHead(429, { 'retry-after': '90' }).end('slow down')
    })
    const url = server.url.replace('http', 'ws')
    const error = await socketFor(server)(url, { signal }, askOnce).catch((each: unknown) => each)
    expect(error).toBeInstanceOf(AnswerError)
    const { response } = error as AnswerError
    expect([response.status, response.header('retry-after')]).toEqual([429, '90'])
  })

  test.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['half of it', 'HTTP/1.1 101 Go\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'],
  ])('a handshake that is %s ends it before anything is sent', async (_, bytes) => {
    await using server = await serveBytes(answerBytes(bytes))
    const url = server.url.replace('http', 'ws')
    const call = socketFor(server)(url, { signal }, askOnce)
    expect(await kindAndSent(call)).toEqual(['malformed', false])
  })

  test('nobody listens', async () => {
    const server = await listen(echo)
    await server[Symbol.asyncDispose]()
    const call = socketFor(server)(server.url, { signal }, askOnce)
    expect(await kindAndSent(call)).toEqual(['connect', false])
  })

  test.each<[string, (socket: WebSocket) => void, string]>([
    ['broken off', (socket) => socket.on('message', () => socket.terminate()), 'reset'],
    ['closed', (socket) => socket.on('message', () => socket.close(1008)), 'reset'],
    ['binary', (socket) => socket.on('message', () => socket.send(Buffer.from([1]))), 'malformed'],
    [
      'a message too large',
      (socket) => socket.on('message', () => socket.send('x'.repeat(101))),
      'too_large',
    ],
    [
      'too much in all',
      (socket) => {
        socket.on('message', () => {
          for (let count = 0; count < 30; count += 1) socket.send('x'.repeat(10))
        })
      },
      'too_large',
    ],
  ])('%s, after something was sent', async (_, onVisit, kind) => {
    await using server = await listen(onVisit)
    const limits = { maximumMessageBytes: 100, maximumBytes: 200 }
    const call = socketFor(server, { limits })(server.url, { signal }, async (line) => {
      line.send('Hello')
      for (;;) await line.receive()
    })
    expect(await kindAndSent(call)).toEqual([kind, true])
  })

  test('it takes too long to connect', async () => {
    const clock = new ManualClock()
    const reached = Promise.withResolvers<void>()
    await using server = await serveBytes((socket) => socket.once('data', () => reached.resolve()))
    const url = server.url.replace('http', 'ws')
    const call = kindAndSent(socketFor(server, { clock })(url, { signal }, askOnce))
    await reached.promise
    clock.advance(10_000)
    expect(await call).toEqual(['timeout', false])
    expect(clock.sleepers).toBe(0)
  })

  test('it takes too long in all', async () => {
    const clock = new ManualClock()
    const asked = Promise.withResolvers<void>()
    await using server = await listen((socket) => socket.on('message', () => asked.resolve()))
    const options = { signal, timeoutMs: 5000 }
    const call = kindAndSent(socketFor(server, { clock })(server.url, options, askOnce))
    await asked.promise
    clock.advance(5000)
    expect(await call).toEqual(['timeout', true])
    expect(clock.sleepers).toBe(0)
  })

  test('the caller gives up', async () => {
    const controller = new AbortController()
    const closed = Promise.withResolvers<number>()
    await using server = await listen((socket) => {
      socket.on('message', () => controller.abort())
      socket.on('close', closed.resolve)
    })
    const call = socketFor(server)(server.url, { signal: controller.signal }, askOnce)
    expect(await kindAndSent(call)).toEqual(['aborted', true])
    await closed.promise
    const again = socketFor(server)(server.url, { signal: controller.signal }, askOnce)
    expect(await kindAndSent(again)).toEqual(['aborted', false])
  })
})
