/** Holds the proxy to what it claims to do: who saw what, for each fault and each way with keys. */

import { createServer } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FaultProxy } from './fault-proxy.ts'
import type { KeyBehaviour, ProxyFault } from './fault-proxy.ts'

let server: Server
let target: string
let seen: string[]
let answerStatus: number

beforeEach(async () => {
  seen = []
  answerStatus = 200
  server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    response.writeHead(answerStatus).end(`answer ${seen.length}`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterEach(() => {
  server.closeAllConnections()
  server.close()
})

async function ask(url: string, headers: Record<string, string> = {}): Promise<string> {
  const options = { method: 'POST', headers: { connection: 'close', ...headers }, body: 'x' }
  try {
    const response = await fetch(url, options)
    return `${response.status} ${await response.text()}`
  } catch {
    return 'broken'
  }
}

describe('a request that meets', () => {
  it.each<readonly [ProxyFault, answer: string, wasSeen: boolean]>([
    ['refuse', 'broken', false],
    ['error_before', '503 {"error":"try later"}', false],
    ['rate_limited', '429 {}', false],
    ['commit_then_drop', 'broken', true],
    ['commit_then_5xx', '502 <html>Bad gateway</html>', true],
    ['commit_then_malformed', '200 {"id":', true],
    ['apply_late', 'broken', false],
  ])('%s', async (fault, answer, wasSeen) => {
    await using proxy = await FaultProxy.start({ target })
    const armed = proxy.arm({ fault })
    expect(await ask(`${proxy.url}/path`)).toBe(answer)
    expect(armed.isMet).toBe(true)
    expect(seen).toEqual(wasSeen ? ['POST /path'] : [])
    await armed.release()
    expect(seen.length).toBe(wasSeen ? 2 : 1)
  })

  it.each<readonly [ProxyFault, wasSeen: boolean]>([
    ['stall', false],
    ['commit_then_stall', true],
  ])('%s gets no answer', async (fault, wasSeen) => {
    await using proxy = await FaultProxy.start({ target })
    const { met } = proxy.arm({ fault })
    const giveUp = new AbortController()
    const asking = fetch(proxy.url, { method: 'POST', signal: giveUp.signal })
    await met
    giveUp.abort()
    await expect(asking).rejects.toThrow('aborted')
    expect(seen.length).toBe(wasSeen ? 1 : 0)
  })
})

describe('a fault', () => {
  it('waits for the request that is meant, and meets no other', async () => {
    await using proxy = await FaultProxy.start({ target })
    proxy.arm({ fault: { status: 418 }, matches: ({ path }) => path === '/meant', nth: 2 })
    const paths = ['/meant', '/other', '/meant', '/meant']
    const answers: string[] = []
    for (const path of paths) answers.push((await ask(`${proxy.url}${path}`)).slice(0, 3))
    expect(answers).toEqual(['200', '200', '418', '200'])
  })

  it('can be taken back', async () => {
    await using proxy = await FaultProxy.start({ target })
    proxy.arm({ fault: 'refuse' }).disarm()
    expect(await ask(proxy.url)).toBe('200 answer 1')
  })

  it('can be that nobody listens, for a while', async () => {
    await using proxy = await FaultProxy.start({ target })
    await proxy.goAway()
    expect(await ask(proxy.url)).toBe('broken')
    await proxy.comeBack()
    expect(await ask(proxy.url)).toBe('200 answer 1')
  })
})

describe('a key that was there before', () => {
  const anna = { authorization: 'Bearer a', 'idempotency-key': 'key-1' }
  const ben = { ...anna, authorization: 'Bearer b' }

  it.each<readonly [KeyBehaviour, again: string, byAnother: string]>([
    ['ignored', '200 answer 2', '200 answer 3'],
    ['replay', '200 answer 1', '200 answer 2'],
    ['error_on_duplicate', '500 {"error":"Something went wrong"}', '200 answer 2'],
    ['global_replay', '200 answer 1', '200 answer 1'],
  ])('%s', async (keys, again, byAnother) => {
    await using proxy = await FaultProxy.start({ target, keys })
    expect(await ask(proxy.url, anna)).toBe('200 answer 1')
    expect(await ask(proxy.url, anna)).toBe(again)
    expect(await ask(proxy.url, ben)).toBe(byAnother)
  })

  it.each<readonly [KeyBehaviour, again: string]>([
    ['replay', '200 answer 2'],
    ['global_replay', '422 answer 1'],
  ])('and got a refusal: %s', async (keys, again) => {
    await using proxy = await FaultProxy.start({ target, keys })
    answerStatus = 422
    await ask(proxy.url, anna)
    answerStatus = 200
    expect(await ask(proxy.url, anna)).toBe(again)
  })

  it('is forgotten after an hour', async () => {
    let now = 0
    await using proxy = await FaultProxy.start({ target, keys: 'replay', now: () => now })
    await ask(proxy.url, anna)
    now = 3_600_000
    expect(await ask(proxy.url, anna)).toBe('200 answer 2')
  })

  it('is recognised while the first request is still under way', async () => {
    await using proxy = await FaultProxy.start({ target, keys: 'replay' })
    const both = await Promise.all([ask(proxy.url, anna), ask(proxy.url, anna)])
    expect(both).toEqual(['200 answer 1', '200 answer 1'])
  })
})
