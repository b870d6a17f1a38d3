import { afterEach, describe, expect, it, vi } from 'vitest'
import { ApiProblem, get, post, remove, toQueryString } from './request.ts'

type Answer = Response | Error

/** Answers one request after the other, and remembers what was asked. */
function answerWith(...answers: readonly Answer[]) {
  const left = [...answers]
  const asked: { readonly url: string; readonly key: string | null }[] = []
  vi.stubGlobal('fetch', async (url: string, { headers }: { headers: Headers }) => {
    asked.push({ url, key: headers.get('idempotency-key') })
    const answer = left.shift()
    if (answer instanceof Response) return answer
    throw answer ?? new Error('Nobody asked for that')
  })
  return asked
}

const lost = new TypeError('Failed to fetch')

afterEach(() => vi.unstubAllGlobals())

describe('a write', () => {
  it('is asked for again under the same key where its answer was lost', async () => {
    const asked = answerWith(lost, Response.json({ id: 'x' }))
    expect(await post('/actions/x/approve', { textHash: 'h' })).toEqual({ id: 'x' })
    expect(asked).toHaveLength(2)
    expect(asked[0]?.key).toMatch(/^[0-9a-f]{32}$/)
    expect(asked[1]?.key).toBe(asked[0]?.key)
  })

  it('has a key of its own each time a person asks for it', async () => {
    const asked = answerWith(
      new Response(null, { status: 204 }),
      new Response(null, { status: 204 }),
    )
    await remove('/session')
    await remove('/session')
    expect(asked[1]?.key).not.toBe(asked[0]?.key)
  })

  it('is given up after the second time, in words', async () => {
    const asked = answerWith(lost, lost)
    await expect(post('/pauses')).rejects.toThrow('See whether Second Wind is running')
    expect(asked).toHaveLength(2)
  })
})

describe('a question', () => {
  it('is asked once, without a key', async () => {
    const asked = answerWith(lost)
    await expect(get('/posts')).rejects.toThrow(ApiProblem)
    expect(asked).toEqual([{ url: '/api/v1/posts', key: null }])
  })

  it('fails with the server’s own words, field by field', async () => {
    const problem = {
      title: 'Not as it should be',
      status: 400,
      detail: 'One field is wrong.',
      errors: [{ field: 'reason', problem: 'is too long' }],
    }
    const headers = { 'content-type': 'application/problem+json' }
    answerWith(new Response(JSON.stringify(problem), { status: 400, headers }))
    const error = await get('/posts').catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(ApiProblem)
    expect((error as ApiProblem).fieldProblem('reason')).toBe('is too long')
    expect((error as ApiProblem).fieldProblem('other')).toBeNull()
  })

  it('fails in words also where the answer is no problem document', async () => {
    answerWith(new Response('<html>', { status: 502 }))
    await expect(get('/posts')).rejects.toMatchObject({ status: 502 })
  })
})

describe('toQueryString', () => {
  it('repeats a list, and leaves out what is empty', () => {
    const query = { state: ['planned', 'approved'], text: '', cursor: null, limit: 5 }
    expect(toQueryString(query)).toBe('?state=planned&state=approved&limit=5')
    expect(toQueryString({})).toBe('')
  })
})
