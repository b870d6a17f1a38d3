/** Who works, how far they are, and what a worker says of itself to those who watch over it. */

import { request } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { once } from 'node:events'
import { text as readText } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { minuteMs, secondMs } from '../src/core/duration.ts'
import { formatInstant } from '../src/core/instant.ts'
import { removePresence, saveDeliveryState, savePresence } from '../src/engine/delivery/presence.ts'
import type { SystemView } from '../src/server/schema/overview.ts'
import { listenForHealth } from '../src/server/worker-health.ts'
import { World } from './server/world.ts'

let world: World
beforeEach(async () => {
  world = await World.open()
})

const worker = { version: '1.2.3', places: 8, busy: 3, done: 120, failed: 2 } as const

async function arrive(id: string, host: string, startedAt = world.stage.clock.now()) {
  await savePresence(world.ledger, { ...worker, id, host, startedAt })
}

async function lead(lag: { readonly checkMs: number; readonly actionMs: number }) {
  await saveDeliveryState(world.ledger, { leader: 'w-1', ready: 40, ...lag })
}

async function system(): Promise<SystemView> {
  return (await world.get<SystemView>('/system')).body
}

async function metrics(): Promise<string> {
  return (await world.get('/api/../metrics')).text
}

describe('where one process does all', () => {
  test('there are no workers, and nothing is delivered', async () => {
    expect(await system()).toMatchObject({ workers: [], delivery: null })
  })

  test('Prometheus is not told that nothing waits: there is no such figure', async () => {
    const shown = await metrics()
    expect(shown).toContain('# HELP secondwind_check_lag_seconds')
    expect(shown).not.toMatch(/^secondwind_(worker|jobs|check_lag|action_lag)/m)
  })
})

describe('where workers share a ledger', () => {
  test('each is listed with its work, and how far all of them are', async () => {
    const now = world.stage.clock.now()
    await arrive('w-2', 'beta')
    await arrive('w-1', 'alpha', now)
    await arrive('w-0', 'alpha', now - minuteMs)
    await lead({ checkMs: 90 * secondMs, actionMs: 1500 })
    const { workers, delivery } = await system()
    expect(workers.map(({ id }) => id)).toEqual(['w-0', 'w-1', 'w-2'])
    expect(workers[2]).toEqual({
      ...worker,
      id: 'w-2',
      host: 'beta',
      startedAt: formatInstant(now),
      seenAt: formatInstant(now),
    })
    expect(delivery).toEqual({
      at: formatInstant(now),
      leader: 'w-1',
      ready: 40,
      checkLagMs: 90_000,
      actionLagMs: 1500,
    })
  })

  test('Prometheus has them by worker and host, and the lags in seconds', async () => {
    await arrive('w-1', 'alpha')
    await lead({ checkMs: 90 * secondMs, actionMs: 1500 })
    const lines = (await metrics()).split('\n')
    expect(lines).toEqual(
      expect.arrayContaining([
        'secondwind_worker_places{worker="w-1",host="alpha"} 8',
        'secondwind_worker_busy{worker="w-1",host="alpha"} 3',
        'secondwind_worker_done{worker="w-1",host="alpha"} 120',
        'secondwind_worker_failed{worker="w-1",host="alpha"} 2',
        'secondwind_jobs_ready 40',
        'secondwind_check_lag_seconds 90',
        'secondwind_action_lag_seconds 1.5',
      ]),
    )
  })

  test('one that left is in neither, and one that fell silent neither', async () => {
    await arrive('w-1', 'alpha')
    await arrive('w-2', 'beta')
    await lead({ checkMs: 0, actionMs: 0 })
    expect(await metrics()).toContain('worker="w-2"')
    await removePresence(world.ledger, 'w-2')
    expect(await metrics()).not.toContain('worker="w-2"')
    expect((await system()).workers).toHaveLength(1)
    await world.stage.clock.advance(2 * minuteMs)
    expect(await metrics()).not.toMatch(/^secondwind_(worker|jobs|check_lag|action_lag)/m)
    expect(await system()).toMatchObject({ workers: [], delivery: null })
  })

  test('a token of one account is not told of them', async () => {
    await arrive('w-1', 'alpha')
    const token = await world.token('admin', [world.ann])
    expect((await world.get('/system', { token })).status).toBe(403)
  })
})

/** A path is sent as it is written, which fetch would not do. */
async function ask(
  port: number,
  path: string,
  method = 'GET',
  body = '',
): Promise<IncomingMessage> {
  const asked = request({ host: '127.0.0.1', port, path, method })
  asked.end(body)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  return answer
}

async function read(port: number, path: string): Promise<readonly [number | undefined, string]> {
  const answer = await ask(port, path)
  return [answer.statusCode, await readText(answer)]
}

describe('a worker’s own health', () => {
  test('it is well while it answers, and ready while its check says so', async () => {
    let check = async () => true
    await using health = await listenForHealth({ port: 0, check: () => check() })
    const { port } = health
    expect(await read(port, '/healthz')).toEqual([200, '{"status":"ok"}'])
    expect(await read(port, '/readyz')).toEqual([200, '{"status":"ready"}'])
    expect(await read(port, '/readyz?from=balancer')).toEqual([200, '{"status":"ready"}'])
    check = async () => false
    expect(await read(port, '/readyz')).toEqual([503, '{"status":"not_ready"}'])
    check = () => Promise.reject(new Error('no route to postgres://secret'))
    expect(await read(port, '/readyz')).toEqual([503, '{"status":"not_ready"}'])
    check = () => {
      throw new Error('broken')
    }
    expect(await read(port, '/readyz')).toEqual([503, '{"status":"not_ready"}'])
    expect(await read(port, '/healthz')).toEqual([200, '{"status":"ok"}'])
    check = async () => true
    expect(await read(port, '/readyz')).toEqual([200, '{"status":"ready"}'])
  })

  test.each([
    ['GET', '/'],
    ['GET', '/metrics'],
    ['GET', '/api/v1/system'],
    ['GET', '/healthz/'],
    ['GET', '//healthz'],
    ['GET', '/%68ealthz'],
    ['POST', '/healthz'],
    ['DELETE', '/readyz'],
  ])('%s %s leads nowhere', async (method, path) => {
    let checks = 0
    const check = async () => {
      checks += 1
      return true
    }
    await using health = await listenForHealth({ port: 0, check })
    const answer = await ask(health.port, path, method, 'a body')
    expect(answer.statusCode).toBe(404)
    expect(await readText(answer)).toBe('{"status":"not_found"}')
    expect(checks).toBe(0)
  })

  test('those who ask while it checks get the same answer', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const asked = Promise.withResolvers<void>()
    let checks = 0
    const check = () => {
      checks += 1
      asked.resolve()
      return promise
    }
    await using health = await listenForHealth({ port: 0, check })
    const first = read(health.port, '/readyz')
    await asked.promise
    const others = Array.from({ length: 5 }, () => read(health.port, '/readyz'))
    // Answered after those before it were taken in, or nearly all of them.
    await read(health.port, '/healthz')
    resolve(false)
    const answers = await Promise.all([first, ...others])
    expect(answers.map(([status]) => status)).toEqual([503, 503, 503, 503, 503, 503])
    expect(checks).toBeLessThan(answers.length)
  })

  test('a body that never ends is not waited for', async () => {
    await using health = await listenForHealth({ port: 0, check: async () => true })
    const socket = connect(health.port, '127.0.0.1')
    socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nonly so much')
    const answer = await readText(socket)
    expect(answer).toContain('HTTP/1.1 200 OK')
    expect(answer).toContain('Connection: close'.toLowerCase())
  })

  test('it is bound to loopback, and closed where someone is still connected', async () => {
    const health = await listenForHealth({ port: 0, check: () => new Promise(() => {}) })
    const { port, url } = health
    expect(url).toBe(`http://127.0.0.1:${port}`)
    const waiting = ask(port, '/readyz').catch((error: Error) => error.message)
    await read(port, '/healthz')
    await health[Symbol.asyncDispose]()
    expect(await waiting).toBe('socket hang up')
    await expect(ask(port, '/healthz')).rejects.toThrow('ECONNREFUSED')
  })

  test('a port that is taken is an error that names it', async () => {
    const check = async () => true
    await using health = await listenForHealth({ port: 0, check })
    const { port } = health
    await expect(listenForHealth({ port, check })).rejects.toThrow(
      `port: 127.0.0.1:${port} cannot be listened on (EADDRINUSE)`,
    )
  })
})
