/** Plants a canary in everything that is secret, breaks calls in every way, and looks for it. */

import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { Secret } from '../src/core/secret.ts'
import { faultOf } from '../src/platform/fetch/fault-of.ts'
import type { FetchErrorKind } from '../src/platform/fetch/fetch-error.ts'
import { FetchError } from '../src/platform/fetch/fetch-error.ts'
import { requireOk } from '../src/platform/fetch/guarded-response.ts'
import type { GuardedResponse } from '../src/platform/fetch/guarded-response.ts'
import type { FetchOptions } from '../src/platform/fetch/request.ts'
import type { Lookup } from '../src/platform/fetch/resolve.ts'
import { createGuardedFetch } from '../src/platform/guarded-fetch.ts'
import { certify } from './guarded-fetch/certificate.ts'
import { ManualClock } from './guarded-fetch/manual-clock.ts'
import { answerBytes, serveBytes, serveSecurely } from './guarded-fetch/servers.ts'

const canary = 'canary-51d7c0de'

/** Every place in a request that can hold a secret. */
const secretOptions: FetchOptions = {
  method: 'POST',
  headers: {
    authorization: new Secret(`Bearer ${canary}`),
    cookie: `session=${canary}`,
    dpop: canary,
  },
  body: `refresh_token=${canary}`,
}

function expectNoCanary(value: unknown): void {
  const shown = [
    inspect(value, { depth: 20, showHidden: true }),
    JSON.stringify(value, (_key, member: unknown) => member),
    String(value),
    value instanceof Error ? (value.stack ?? '') : '',
  ]
  for (const text of shown) expect(text).not.toContain(canary)
}

const thrownBy = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

interface Case {
  readonly kind: FetchErrorKind | 'AnswerError'
  readonly bytes?: string
  readonly path?: string
  readonly options?: FetchOptions
  readonly lookup?: Lookup
  readonly allow?: boolean
  readonly read?: (response: GuardedResponse) => unknown
}

const ok = 'HTTP/1.1 200 OK\r\n'
const head = (line: string) => `${ok}${line}\r\n\r\n`

const cases: Readonly<Record<string, Case>> = {
  'a URL without https': { kind: 'bad_url', allow: false },
  'a private address': { kind: 'refused_address', path: 'https://127.0.0.1:1/', allow: false },
  'an unknown name': {
    kind: 'dns',
    path: 'https://nowhere.example/',
    lookup: async () => {
      throw new Error(`no answer for ${canary}`)
    },
  },
  'a name that leads to nonsense': {
    kind: 'refused_address',
    path: 'https://nowhere.example/',
    lookup: async () => [{ address: canary }],
  },
  'bytes that are not HTTP': { kind: 'malformed', bytes: `${canary}\r\n\r\n` },
  'a header that is none': { kind: 'malformed', bytes: `${ok}${canary}\r\n\r\n` },
  'a chunk that is none': {
    kind: 'malformed',
    bytes: `${head('transfer-encoding: chunked')}${canary}\r\n`,
  },
  'a body that does not unpack': {
    kind: 'malformed',
    bytes: `${head(`content-encoding: gzip\r\ncontent-length: ${canary.length}`)}${canary}`,
  },
  'a coding with a secret in it': { kind: 'malformed', bytes: head(`content-encoding: ${canary}`) },
  'a body that is too large': {
    kind: 'too_large',
    bytes: `${head('content-length: 100')}${canary}`,
    options: { ...secretOptions, maximumBytes: 50 },
  },
  'a body that is not JSON': {
    kind: 'malformed',
    bytes: `${head('content-length: 16')}${canary}?`,
    read: (response) => response.json(),
  },
  'a body of another shape': {
    kind: 'malformed',
    bytes: `${head(`content-length: ${canary.length + 2}`)}"${canary}"`,
    read: (response) => response.parse(z.literal('token')),
  },
  'a redirect that may not be followed': {
    kind: 'bad_redirect',
    bytes: `HTTP/1.1 302 Found\r\nlocation: http://a:${canary}@b.example/?${canary}\r\n\r\n`,
    options: { headers: { authorization: canary } },
  },
  'a redirect to a private address': {
    kind: 'refused_address',
    bytes: `HTTP/1.1 302 Found\r\nlocation: https://10.0.0.1/?code=${canary}#${canary}\r\n\r\n`,
    options: { headers: { authorization: canary } },
  },
  'a caller who gives up with a reason': {
    kind: 'aborted',
    options: { ...secretOptions, signal: AbortSignal.abort(new Error(canary)) },
  },
  'an answer that refuses': {
    kind: 'AnswerError',
    bytes:
      `HTTP/1.1 401 ${canary}\r\nset-cookie: ${canary}\r\nwww-authenticate: ${canary}\r\n` +
      `content-length: ${canary.length}\r\n\r\n${canary}`,
    read: requireOk,
  },
}

test.each(Object.entries(cases))('%s shows no secret', async (_name, given) => {
  const { kind, bytes = '', path, options = secretOptions, allow = true, lookup } = given
  await using server = await serveBytes(answerBytes(bytes))
  const fetch = createGuardedFetch({
    allowHosts: allow ? [server.host] : [],
    clock: new ManualClock(),
    ...(lookup === undefined ? {} : { lookup }),
  })
  const call = fetch(`${path ?? `${server.url}/`}?access_token=${canary}`, options)
  const read = given.read ?? ((response: GuardedResponse) => response)
  const error = await thrownBy(call.then(read))
  expect(error instanceof FetchError ? error.kind : (error as Error | null)?.name).toBe(kind)
  expectNoCanary(error)
  expectNoCanary(faultOf(error, 'write', 0))
})

test('a connection that breaks shows no secret', async () => {
  await using server = await serveBytes((socket) =>
    socket.once('data', (bytes) => {
      expect(bytes.toString()).toContain(canary)
      socket.end(`${ok}content-length: 50\r\n\r\n${canary}`)
    }),
  )
  const fetch = createGuardedFetch({ allowHosts: [server.host], clock: new ManualClock() })
  const error = await thrownBy(fetch(`${server.url}/?token=${canary}`, secretOptions))
  expect(error).toMatchObject({ kind: 'reset', sent: true })
  expectNoCanary(error)
})

test('a handshake that fails shows no secret', async () => {
  await using server = await serveSecurely(certify(`${canary}.example`), () => {})
  const fetch = createGuardedFetch({ allowHosts: [server.host], clock: new ManualClock() })
  const error = await thrownBy(fetch(`${server.url}/?token=${canary}`, secretOptions))
  expect(error).toMatchObject({ kind: 'tls', sent: false })
  expectNoCanary(error)
})

test('a timeout shows no secret', async () => {
  const arrived = Promise.withResolvers<void>()
  await using server = await serveBytes((socket) => socket.once('data', () => arrived.resolve()))
  const clock = new ManualClock()
  const fetch = createGuardedFetch({ allowHosts: [server.host], clock })
  const call = thrownBy(fetch(`${server.url}/?token=${canary}`, secretOptions))
  await arrived.promise
  clock.advance(60_000)
  const error = await call
  expect(error).toMatchObject({ kind: 'timeout', sent: true })
  expectNoCanary(error)
})

test('an answer with tokens in it shows none of them', async () => {
  const token = JSON.stringify({ access_token: canary })
  const lines = `set-cookie: ${canary}\r\ncontent-length: ${token.length}`
  await using server = await serveBytes(answerBytes(`${head(lines)}${token}`))
  const fetch = createGuardedFetch({ allowHosts: [server.host], clock: new ManualClock() })
  const response = await fetch(`${server.url}/?code=${canary}`, secretOptions)
  expectNoCanary(response)
  expectNoCanary({ response })
  expect(response.json()).toEqual({ access_token: canary })
})
