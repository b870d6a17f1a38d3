/**
 * Owns the base table of faults: what a failed call means, where a network says nothing more exact.
 * A connector looks at the bodies that it knows first, and comes here with the rest.
 *
 * What it rests on: a read changes nothing. A write that was not sent did not land. A write that
 * was sent and not plainly refused may have landed, whatever the status says: a correct repeat can
 * be answered with a 409 or a 500.
 */

import type { Fault, FaultCode, FaultScope } from '../../core/fault.ts'
import type { Instant } from '../../core/instant.ts'
import { FetchError } from './fetch-error.ts'
import type { FetchErrorKind } from './fetch-error.ts'
import { AnswerError, GuardedResponse } from './guarded-response.ts'
import { rateLimitOf, retryAfterOf } from './rate-limit.ts'

/** The last member says what became of a write. */
type Row = readonly [code: FaultCode, scope: FaultScope, landed: Fault['landed'], words: string]

const statusRows: Readonly<Record<number, Row>> = {
  303: ['bad_answer', 'request', 'unknown', 'points to another page for the result'],
  307: ['bad_answer', 'request', 'no', 'wants the request sent elsewhere'],
  308: ['bad_answer', 'request', 'no', 'wants the request sent elsewhere'],
  400: ['invalid', 'request', 'no', 'did not accept the request'],
  401: ['credentials', 'account', 'no', 'does not accept the credentials'],
  402: ['forbidden', 'account', 'no', 'wants to be paid first'],
  403: ['forbidden', 'request', 'no', 'does not permit it'],
  404: ['not_found', 'post', 'no', 'does not have it'],
  405: ['unsupported', 'request', 'no', 'does not offer this'],
  406: ['unsupported', 'request', 'no', 'does not offer this'],
  407: ['network_error', 'platform', 'no', 'is behind a proxy that wants a login'],
  408: ['timeout', 'request', 'unknown', 'waited too long for the request'],
  409: ['conflict', 'request', 'unknown', 'says that it conflicts with what is there'],
  410: ['not_found', 'post', 'no', 'does not have it any more'],
  411: ['invalid', 'request', 'no', 'did not accept the request'],
  412: ['conflict', 'request', 'no', 'says that it changed meanwhile'],
  413: ['invalid', 'request', 'no', 'says that it is too large'],
  414: ['invalid', 'request', 'no', 'says that the address is too long'],
  415: ['invalid', 'request', 'no', 'does not take this kind of content'],
  420: ['rate_limit', 'account', 'no', 'wants fewer requests'],
  421: ['service_unavailable', 'platform', 'no', 'is not the server for this'],
  422: ['invalid', 'request', 'no', 'did not accept the content'],
  423: ['conflict', 'post', 'no', 'says that it is locked'],
  425: ['service_unavailable', 'request', 'no', 'did not want it yet'],
  426: ['unsupported', 'platform', 'no', 'wants another protocol'],
  428: ['invalid', 'request', 'no', 'wants a condition'],
  429: ['rate_limit', 'account', 'no', 'wants fewer requests'],
  431: ['invalid', 'request', 'no', 'says that the headers are too large'],
  451: ['forbidden', 'post', 'no', 'withholds it for legal reasons'],
  501: ['unsupported', 'request', 'unknown', 'does not offer this'],
  504: ['timeout', 'platform', 'unknown', 'did not get an answer from its own server in time'],
  524: ['timeout', 'platform', 'unknown', 'did not get an answer from its own server in time'],
}

/**
 * A refusal on a page. A captive portal must not park an account, and what answers in the network's
 * place may have let the write through.
 */
const pageRow: Row = ['network_error', 'platform', 'unknown', 'is hidden behind something else']
const pageStatuses: ReadonlySet<number> = new Set([401, 403])

/** For a status without a row of its own, by its first digit. */
const classRows: Readonly<Record<number, Row>> = {
  2: ['bad_answer', 'request', 'unknown', 'gave an answer that cannot be used'],
  3: ['bad_answer', 'request', 'unknown', 'points elsewhere'],
  4: ['other', 'request', 'unknown', 'refused'],
  5: ['service_unavailable', 'platform', 'unknown', 'has a trouble of its own'],
}
const noStatus: Row = ['bad_answer', 'request', 'unknown', 'gave no status that is known']

/** Whether it landed is not in this table: that depends on whether it was sent. */
const errorRows: Readonly<Record<FetchErrorKind, readonly [FaultCode, FaultScope]>> = {
  refused_address: ['invalid', 'account'],
  bad_url: ['invalid', 'account'],
  dns: ['network_error', 'platform'],
  connect: ['network_error', 'platform'],
  tls: ['network_error', 'platform'],
  timeout: ['timeout', 'request'],
  aborted: ['timeout', 'request'],
  reset: ['network_error', 'request'],
  too_large: ['bad_answer', 'request'],
  bad_redirect: ['bad_answer', 'request'],
  malformed: ['bad_answer', 'request'],
}

/** Whoever gives up a call, by its signal or for want of time, gives one of these as the reason. */
const givenUp: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError', 'DeadlineError'])

/** Anything that a call threw, or an answer that cannot be used, as a fault. */
export function faultOf(what: unknown, call: 'read' | 'write', now: Instant): Fault {
  if (what instanceof AnswerError) return faultOfAnswer(what.response, call, now)
  if (what instanceof GuardedResponse) return faultOfAnswer(what, call, now)
  if (what instanceof FetchError) return faultOfError(what, call)
  const name = what instanceof Error ? what.name : 'something that is not an error'
  const landed = call === 'write' ? 'unknown' : 'no'
  const request = { landed, scope: 'request', retryAt: null } as const
  if (givenUp.has(name)) return { ...request, code: 'timeout', detail: 'no answer came in time' }
  // A mistake of ours, at a moment that is not known. Its message may hold anything.
  return { ...request, code: 'other', detail: `the connector failed with ${name}` }
}

function faultOfError(error: FetchError, call: 'read' | 'write'): Fault {
  const [code, scope] = errorRows[error.kind]
  const landed = call === 'write' && error.sent ? 'unknown' : 'no'
  return { landed, code, scope, retryAt: null, detail: error.message }
}

function faultOfAnswer(response: GuardedResponse, call: 'read' | 'write', now: Instant): Fault {
  const { status, where } = response
  const [code, scope, landed, words] = rowOf(response)
  return {
    landed: call === 'write' ? landed : 'no',
    code,
    scope,
    retryAt: retryAtFor(response, code, now),
    detail: `${where} answered ${status}: it ${words}${describeBody(response)}`,
  }
}

function rowOf(response: GuardedResponse): Row {
  const { status } = response
  if (pageStatuses.has(status) && response.isPage()) return pageRow
  return statusRows[status] ?? classRows[Math.floor(status / 100)] ?? noStatus
}

/** A time is taken from a network that says "not now", and from no other answer. */
function retryAtFor(response: GuardedResponse, code: FaultCode, now: Instant): Instant | null {
  const isRateLimit = code === 'rate_limit'
  if (!isRateLimit && code !== 'service_unavailable') return null
  const retryAfter = retryAfterOf(response, now)
  if (retryAfter !== null || !isRateLimit) return retryAfter
  const limit = rateLimitOf(response, now)
  // The one that is used up need not be the one described: then its reset says nothing.
  return limit === null || (limit.remaining ?? 0) > 0 ? null : limit.resetAt
}

/** A page tells the owner to look for a proxy or a firewall in between. */
function describeBody(response: GuardedResponse): string {
  if (response.size === 0) return ' (empty)'
  return response.looksLikeHtml() ? ' (an HTML page, as proxies and firewalls give)' : ''
}
