/**
 * Owns what a call to an API with access tokens can fail with, beyond what the fetch tells, and
 * what each of these means. None of them holds a token.
 */

import type { Fault } from '../../core/fault.ts'
import { InputError } from '../../core/input-error.ts'
import type { Instant } from '../../core/instant.ts'
import { faultOf } from '../fetch/fault-of.ts'
import { AnswerError } from '../fetch/guarded-response.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'

/** The credentials cannot be used, and trying again with them will not change that. */
export class CredentialsError extends Error {
  override readonly name = 'CredentialsError'
}

/** The token had run out before its time and was replaced. What was refused may be sent again. */
export class TokenReplaced extends Error {
  override readonly name = 'TokenReplaced'

  constructor() {
    super('the access token had run out and was replaced')
  }
}

/** The post is not any more what the write was prepared for. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile'
}

/** Whatever went wrong did so before the write was sent. */
export class NotSent extends Error {
  override readonly name = 'NotSent'
  override readonly cause: unknown

  constructor(cause: unknown) {
    super('it failed before the write was sent')
    this.cause = cause
  }
}

/** Runs what comes before a write; where that fails, nothing has landed. */
export async function beforeSending<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new NotSent(error)
  }
}

/** What a network says more exactly than the common table; null where it says no more. */
export type Refine = (response: GuardedResponse, fault: Fault) => Partial<Fault> | null

export function classifyError(
  error: unknown,
  call: 'read' | 'write',
  now: Instant,
  refine: Refine,
): Fault {
  if (error instanceof NotSent) return classifyError(error.cause, 'read', now, refine)
  const request = { landed: 'no', scope: 'request', retryAt: null } as const
  if (error instanceof CredentialsError) {
    return { ...request, code: 'credentials', scope: 'account', detail: error.message }
  }
  if (error instanceof TokenReplaced) {
    return { ...request, code: 'service_unavailable', detail: error.message }
  }
  if (error instanceof ChangedMeanwhile) {
    return { ...request, code: 'changed', scope: 'post', detail: error.message }
  }
  if (error instanceof InputError) {
    return { ...request, code: 'invalid', detail: error.message }
  }
  const fault = faultOf(error, call, now)
  return error instanceof AnswerError ? { ...fault, ...refine(error.response, fault) } : fault
}
