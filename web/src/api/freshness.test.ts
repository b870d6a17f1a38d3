import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Freshness } from './freshness.ts'

const client = new QueryClient()

/** A question that someone looks at, which counts how often it was asked. */
function ask(queryKey: readonly unknown[], answer: unknown = {}) {
  const queryFn = vi.fn<() => Promise<unknown>>(async () => answer)
  client.setQueryData(queryKey, answer)
  const stop = new QueryObserver(client, { queryKey, queryFn, staleTime: Infinity }).subscribe(
    () => undefined,
  )
  stops.push(stop)
  return queryFn
}
let stops: (() => void)[] = []

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  for (const stop of stops) stop()
  stops = []
  client.clear()
  vi.useRealTimers()
})

const subject = { accountId: 'a', postId: 'p1', actionId: 'x1' }

describe('Freshness', () => {
  it('asks again what an event changed, and nothing else', async () => {
    const [overview, accounts] = [ask(['overview']), ask(['accounts'])]
    new Freshness(client).note('verdict', subject)
    await vi.advanceTimersByTimeAsync(1000)
    expect(overview).toHaveBeenCalledTimes(1)
    expect(accounts).not.toHaveBeenCalled()
  })

  it('asks for one post only where the event is about it', async () => {
    const [mine, other] = [ask(['posts', 'one', 'p1']), ask(['posts', 'one', 'p2'])]
    new Freshness(client).note('verdict', subject)
    await vi.advanceTimersByTimeAsync(1000)
    expect(mine).toHaveBeenCalledTimes(1)
    expect(other).not.toHaveBeenCalled()
  })

  it('gathers a burst into one question', async () => {
    const overview = ask(['overview'])
    const freshness = new Freshness(client)
    for (let count = 0; count < 50; count += 1) freshness.note('verdict', subject)
    await vi.advanceTimersByTimeAsync(1000)
    expect(overview).toHaveBeenCalledTimes(1)
  })

  it('leaves a long list as it is, and marks it as old', async () => {
    const queryKey = ['posts', 'pages', {}]
    const pages = ask(queryKey, { pages: [1, 2, 3, 4], pageParams: [] })
    new Freshness(client).note('verdict', subject)
    await vi.advanceTimersByTimeAsync(1000)
    expect(pages).not.toHaveBeenCalled()
    expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true)
  })
})
