/**
 * Owns what a failed call means on this network. Its errors have names, and a name says more than a
 * status; only an answer with such a name is the network's own word. Anything else with the status
 * of a refusal came from something in between, and proves nothing about a write.
 */

import type { Fault, FaultCode, FaultScope } from '../../core/fault.ts'
import { InputError } from '../../core/input-error.ts'
import type { Instant } from '../../core/instant.ts'
import { faultOf } from '../fetch/fault-of.ts'
import { AnswerError } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'
import { ChangedMeanwhile, NotSent, UnusableCredentials } from './errors.ts'
import { errorNameOf } from './xrpc.ts'

type Row = readonly [code: FaultCode, scope: FaultScope, words: string]

const ended: Row = ['credentials', 'account', 'the session has ended; sign in again']
const closed: Row = ['credentials', 'account', 'the account is closed, suspended or deactivated']
const narrow: Row = ['forbidden', 'account', 'the sign-in does not permit it; sign in again']

/** All of these are refusals: nothing was applied. */
const rows: Readonly<Record<string, Row>> = {
  ExpiredToken: ended,
  InvalidToken: ended,
  AuthMissing: ended,
  AuthenticationRequired: ended,
  invalid_token: ended,
  invalid_grant: ended,
  invalid_dpop_proof: ['credentials', 'account', 'the signature of the request is not accepted'],
  AccountTakedown: closed,
  AccountSuspended: closed,
  AccountDeactivated: closed,
  AccountNotFound: closed,
  RepoTakendown: closed,
  RepoSuspended: closed,
  RepoDeactivated: closed,
  RepoNotFound: closed,
  ScopeMissingError: narrow,
  insufficient_scope: narrow,
  invalid_scope: narrow,
  invalid_client: ['forbidden', 'account', 'the sign-in server does not know this program'],
  unauthorized_client: ['forbidden', 'account', 'the sign-in server does not know this program'],
  InvalidSwap: ['conflict', 'post', 'something else stands there already'],
  RecordNotFound: ['not_found', 'post', 'it is not there'],
  InvalidRequest: ['invalid', 'request', 'the network does not take it as it is'],
  InvalidRecord: ['invalid', 'request', 'the network does not take it as it is'],
  PayloadTooLarge: ['invalid', 'request', 'it is too large'],
  XRPCNotSupported: ['unsupported', 'platform', 'the server does not offer this'],
}

/** A server behind did not accept the word of the one in front; the owner cannot help that. */
const unaccepted: Row = ['service_unavailable', 'request', 'it was not accepted on its way']

export function classify(error: unknown, call: 'read' | 'write', now: Instant): Fault {
  if (error instanceof NotSent) return { ...classify(error.cause, 'read', now), landed: 'no' }
  if (error instanceof ChangedMeanwhile) return refusal(['changed', 'post', error.message])
  if (error instanceof UnusableCredentials) {
    return refusal(['credentials', 'account', error.message])
  }
  if (error instanceof InputError) {
    return refusal(['invalid', 'request', 'it cannot be sent as it is'])
  }
  if (error instanceof AnswerError) return classifyAnswer(error.response, call, now)
  return faultOf(error, call, now)
}

function classifyAnswer(response: GuardedResponse, call: 'read' | 'write', now: Instant): Fault {
  const { status, where } = response
  const common = faultOf(response, call, now)
  // Too many requests means the same from whoever says it: it went no further.
  if (status < 400 || status >= 500 || status === 429) return common
  const name = errorNameOf(response)
  if (name === null) {
    const landed = call === 'write' ? 'unknown' : 'no'
    const detail = `${common.detail}; the answer is not the network’s own`
    return { landed, code: 'bad_answer', scope: 'request', retryAt: null, detail }
  }
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined
  if (row === undefined && status !== 401) return common
  const [code, scope, words] = row ?? unaccepted
  // A name that is not in the table may be anything, even a token that the server repeats.
  const shown = row === undefined ? '' : ` (${name})`
  return refusal([code, scope, `${where} answered ${status}${shown}: ${words}`])
}

function refusal([code, scope, detail]: Row): Fault {
  return { landed: 'no', code, scope, retryAt: null, detail }
}
