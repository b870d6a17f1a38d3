/**
 * The one way to ask the server. An answer that is no success becomes an `ApiProblem`, which says
 * what happened in the server's own words.
 */

import type { ProblemView } from '../../../src/server/schema/fields.ts'

/** What the server refused, or that it could not be reached at all (status 0). */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly title: string
  readonly fields: NonNullable<ProblemView['errors']>

  constructor(problem: Omit<ProblemView, 'type'>) {
    super(problem.detail)
    this.status = problem.status
    this.title = problem.title
    this.fields = problem.errors ?? []
  }

  /** What is wrong with one field of what was sent, or null. */
  fieldProblem(field: string): string | null {
    return this.fields.find((entry) => entry.field === field)?.problem ?? null
  }
}

/** What the server found wrong with one field, or null where the error is about something else. */
export function problemOfField(error: unknown, field: string): string | null {
  return error instanceof ApiProblem ? error.fieldProblem(field) : null
}

export type QueryValue = string | number | boolean | null | undefined | readonly string[]
export type Query = Readonly<Record<string, QueryValue>>

/** A list repeats its name: `?state=planned&state=approved`. What is empty is left out. */
export function toQueryString(query: Query): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === null || value === undefined || value === '') continue
    const list = typeof value === 'object' ? value : [String(value)]
    for (const entry of list) parameters.append(name, entry)
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

export const apiRoot = '/api/v1'

export function get<Answer>(path: string, query: Query = {}, signal?: AbortSignal) {
  return send<Answer>('GET', `${path}${toQueryString(query)}`, undefined, signal)
}

export function post<Answer>(path: string, body: unknown = {}) {
  return send<Answer>('POST', path, body)
}

export function put<Answer>(path: string, body: unknown) {
  return send<Answer>('PUT', path, body)
}

export function patch<Answer>(path: string, body: unknown) {
  return send<Answer>('PATCH', path, body)
}

export function remove<Answer>(path: string, query: Query = {}) {
  return send<Answer>('DELETE', `${path}${toQueryString(query)}`)
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

async function send<Answer>(method: Method, path: string, body?: unknown, signal?: AbortSignal) {
  const headers = new Headers({ accept: 'application/json' })
  if (body !== undefined) headers.set('content-type', 'application/json')
  if (method !== 'GET') headers.set('idempotency-key', newKey())
  const request: RequestInit = {
    method,
    headers,
    credentials: 'same-origin',
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }
  const ask = () => fetch(`${apiRoot}${path}`, request)
  // Whether a write whose answer was lost was done, nobody knows. Under the same key it is done
  // once, so it is asked for again, and the answer is the first one.
  const response = await ask()
    .catch(orFail(method === 'GET' ? fail : ask))
    .catch(orFail(fail))
  if (!response.ok) throw await readProblem(response)
  return (response.status === 204 ? undefined : await response.json()) as Answer
}

/** What to do where nothing was answered. A request that was called off stays called off. */
function orFail(next: () => Promise<Response>): (error: unknown) => Promise<Response> {
  return (error) => {
    if (error instanceof DOMException && error.name === 'AbortError') throw error
    return next()
  }
}

function fail(): Promise<Response> {
  return Promise.reject(unreachable())
}

/** `randomUUID` is missing on plain HTTP from another machine; this is not. */
function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

function unreachable(): ApiProblem {
  return new ApiProblem({
    status: 0,
    title: 'The server cannot be reached',
    detail: 'Nothing was answered. See whether Second Wind is running; this page tries again.',
  })
}

export async function readProblem(response: Response): Promise<ApiProblem> {
  const fallback = {
    status: response.status,
    title: `The server answered ${response.status}`,
    detail: 'The answer could not be read. Try again, and see the server’s log if it stays.',
  }
  if (!(response.headers.get('content-type') ?? '').includes('json')) {
    return new ApiProblem(fallback)
  }
  const body = (await response.json().catch(() => ({}))) as Partial<ProblemView>
  return new ApiProblem({ ...fallback, ...body })
}
