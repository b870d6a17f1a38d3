/** Owns what follows a redirect: whether to go there at all, and with what. */

import { FetchError, placeOf } from './fetch-error.ts'
import { isWrite } from './request.ts'
import type { Method, OutgoingRequest } from './request.ts'
import { parseTarget } from './target.ts'
import type { AllowList, Target } from './target.ts'

export interface Hop {
  readonly target: Target
  readonly request: OutgoingRequest
}

const statuses = new Set([301, 302, 303, 307, 308])

export const isRedirect = (status: number): boolean => statuses.has(status)

/** What may be told to another origin. Any other header may be a credential, so none is passed. */
const harmlessHeaders = new Set(['accept', 'accept-language', 'user-agent'])
const bodyHeaders = ['content-type', 'content-language', 'content-encoding']

/** The next request, or an error that says why there is none. Its addresses are checked later. */
export function followRedirect(
  { target, request }: Hop,
  { status, location }: { readonly status: number; readonly location: string | null },
  allowList: AllowList,
): Hop {
  const from = target.url
  const next = parseLocation(location, from, allowList)
  if (target.isSecure && !next.isSecure) throw bad(from, 'leads from https to http')
  const isSameOrigin = next.url.origin === from.origin
  const method = nextMethod(request.method, status)
  const body = isWrite(method) ? request.body : null
  if (body !== null && !isSameOrigin) {
    throw bad(from, `would send the body to another host, ${next.url.host}`)
  }
  const headers = new Map(request.headers)
  if (body === null) for (const name of bodyHeaders) headers.delete(name)
  if (!isSameOrigin) {
    for (const name of headers.keys()) if (!harmlessHeaders.has(name)) headers.delete(name)
  }
  return { target: next, request: { method, headers, body } }
}

export function tooManyRedirects(target: Target, maximum: number): FetchError {
  return bad(target.url, `is the last of more than ${maximum} redirects`)
}

function parseLocation(location: string | null, from: URL, allowList: AllowList): Target {
  if (location === null) throw bad(from, 'does not say where to')
  if (!URL.canParse(location, from.href)) throw bad(from, 'leads to something that is not a URL')
  try {
    return parseTarget(new URL(location, from), allowList)
  } catch (error) {
    if (error instanceof FetchError) throw bad(from, `cannot be followed: ${error.message}`)
    throw error
  }
}

/** As browsers do: only 307 and 308 promise that the method stays. */
function nextMethod(method: Method, status: number): Method {
  if (status === 303) return method === 'HEAD' ? 'HEAD' : 'GET'
  if (status === 301 || status === 302) return method === 'POST' ? 'GET' : method
  return method
}

function bad(from: URL, problem: string): FetchError {
  return new FetchError({
    kind: 'bad_redirect',
    sent: true,
    where: placeOf(from),
    problem: `the redirect ${problem}`,
  })
}
