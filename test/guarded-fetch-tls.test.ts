/** Speaks https with real local servers: the name counts, not the address behind it. */

import type { RequestListener } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { createGuardedFetch } from '../src/platform/guarded-fetch.ts'
import type { GuardedFetchSettings } from '../src/platform/guarded-fetch.ts'
import { certify } from './guarded-fetch/certificate.ts'
import { failureOf, kindAndSent } from './guarded-fetch/failure.ts'
import { ManualClock } from './guarded-fetch/manual-clock.ts'
import { serve, serveBytes, serveSecurely } from './guarded-fetch/servers.ts'

const identity = certify('pds.example', '127.0.0.1')

const echo: RequestListener = (request, response) => {
  const { servername, alpnProtocol } = request.socket as TLSSocket
  response.end(JSON.stringify({ servername, alpnProtocol, host: request.headers.host }))
}

function fetchAt(port: number, settings: Partial<GuardedFetchSettings> = {}) {
  return createGuardedFetch({
    allowHosts: [`127.0.0.1:${port}`, `pds.example:${port}`, `other.example:${port}`],
    clock: new ManualClock(),
    lookup: async () => [{ address: '127.0.0.1' }],
    certificates: [identity.certificate],
    ...settings,
  })
}

describe('a server with a certificate for its name', () => {
  test('is asked for by name, at the address that was checked', async () => {
    await using server = await serveSecurely(identity, echo)
    const host = `pds.example:${server.port}`
    const response = await fetchAt(server.port)(`https://${host}/`)
    expect(response.json()).toEqual({
      servername: 'pds.example',
      alpnProtocol: 'http/1.1',
      host,
    })
  })

  test('may have a certificate for its address', async () => {
    await using server = await serveSecurely(identity, echo)
    const response = await fetchAt(server.port)(server.url)
    expect(response.json()).toEqual({
      servername: false,
      alpnProtocol: 'http/1.1',
      host: server.host,
    })
  })

  test('is not led to plain HTTP by a redirect', async () => {
    await using plain = await serve(echo)
    await using server = await serveSecurely(identity, (_request, response) => {
      response.writeHead(302, { location: plain.url }).end()
    })
    const allowHosts = [`pds.example:${server.port}`, plain.host]
    const call = fetchAt(server.port, { allowHosts })(`https://pds.example:${server.port}/`)
    expect(await kindAndSent(call)).toEqual(['bad_redirect', true])
    expect(plain.connections()).toBe(0)
  })
})

describe('no request is sent to a server', () => {
  /** Counts what got through to the application. */
  async function serveCounted(names: Parameters<typeof serveSecurely>[0]) {
    let requests = 0
    const server = await serveSecurely(names, (_request, response) => {
      requests += 1
      response.end()
    })
    return { ...server, requests: () => requests }
  }

  test('whose certificate is for another name', async () => {
    await using server = await serveCounted(identity)
    const error = await failureOf(fetchAt(server.port)(`https://other.example:${server.port}/`))
    expect([error.kind, error.sent]).toEqual(['tls', false])
    expect(error.code).toBe('ERR_TLS_CERT_ALTNAME_INVALID')
    expect(server.requests()).toBe(0)
  })

  test('whose certificate nobody vouches for, though the owner allowed the host', async () => {
    await using server = await serveCounted(certify('pds.example'))
    const error = await failureOf(fetchAt(server.port)(`https://pds.example:${server.port}/`))
    expect([error.kind, error.sent]).toEqual(['tls', false])
    expect(error.code).toBe('DEPTH_ZERO_SELF_SIGNED_CERT')
    expect(server.requests()).toBe(0)
  })

  test('whose certificate was not named, where others were not either', async () => {
    await using server = await serveCounted(identity)
    const fetch = createGuardedFetch({
      allowHosts: [server.host],
      clock: new ManualClock(),
    })
    expect(await kindAndSent(fetch(server.url))).toEqual(['tls', false])
    expect(server.requests()).toBe(0)
  })

  test('that does not speak TLS', async () => {
    await using server = await serve(echo)
    const call = fetchAt(server.port)(`https://${server.host}/`)
    expect(await kindAndSent(call)).toEqual(['tls', false])
  })

  test('that hangs up during the handshake', async () => {
    await using server = await serveBytes((socket) => socket.once('data', () => socket.destroy()))
    const call = fetchAt(server.port)(`https://${server.host}/`)
    expect(await kindAndSent(call)).toEqual(['tls', false])
  })
})
