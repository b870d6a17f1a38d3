/**
 * Owns how anything that goes wrong is answered (RFC 9457). An answer names the field and the fix
 * and never holds a secret, a stack or a path of the machine.
 */

import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { z } from 'zod'
import { InputError } from '../core/input-error.ts'
import { LedgerError } from '../ledger/ledger-error.ts'
import { VaultError } from '../vault/vault-error.ts'
import type { ProblemView } from './schema/fields.ts'

export const titles = {
  400: 'The request cannot be used',
  401: 'Nobody is signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible as things stand',
  413: 'Too large',
  415: 'Not JSON',
  421: 'Not this server',
  429: 'Too many requests',
  500: 'A defect of the server',
  503: 'Not available now',
} as const
export type ProblemStatus = keyof typeof titles

export interface FieldProblem {
  readonly field: string
  readonly problem: string
}

/** Thrown anywhere on the way of a request; becomes its answer. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly status: ProblemStatus
  readonly errors: readonly FieldProblem[]
  /** Seconds after which it may be tried again. */
  readonly retryAfter: number | null

  constructor(
    status: ProblemStatus,
    detail: string,
    more: { readonly errors?: readonly FieldProblem[]; readonly retryAfter?: number } = {},
  ) {
    super(detail)
    this.status = status
    this.errors = more.errors ?? []
    this.retryAfter = more.retryAfter ?? null
  }
}

/** Also for what exists and is none of the asker's business. */
export function notFound(what: string): Problem {
  return new Problem(404, `There is no such ${what}`)
}

export function conflict(detail: string): Problem {
  return new Problem(409, detail)
}

export function wrongField(field: string, problem: string): Problem {
  return new Problem(400, `${field}: ${problem}`, { errors: [{ field, problem }] })
}

/** What zod found, one entry a field. */
export function fromIssues(issues: readonly z.core.$ZodIssue[], place: string): Problem {
  const errors = issues.slice(0, 20).flatMap((issue) => toFieldProblems(issue, place))
  const [first] = errors
  const detail = first === undefined ? 'It is not valid' : `${first.field}: ${first.problem}`
  return new Problem(400, detail, { errors })
}

function toFieldProblems(issue: z.core.$ZodIssue, place: string): readonly FieldProblem[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: fieldOf([...issue.path, key], place),
      problem: 'unknown field; remove it or correct its spelling',
    }))
  }
  const problem = issue.message.charAt(0).toLowerCase() + issue.message.slice(1)
  return [{ field: fieldOf(issue.path, place), problem }]
}

function fieldOf(path: readonly PropertyKey[], place: string): string {
  if (path.length === 0) return place
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : dotted(String(part), index)))
    .join('')
}

function dotted(part: string, index: number): string {
  const short = part.length > 80 ? `${part.slice(0, 79)}…` : part
  return index === 0 ? short : `.${short}`
}

/** Whatever was thrown, as a problem. Only a defect of ours becomes a 500. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof InputError) {
    return wrongField(error.field, error.message.slice(error.field.length + 2))
  }
  if (error instanceof HTTPException) return fromHttpException(error)
  if (error instanceof LedgerError) return fromLedger(error)
  if (error instanceof VaultError) return conflict(error.message)
  return new Problem(500, 'Something went wrong that should not; the log names this request')
}

function fromHttpException({ status, message }: HTTPException): Problem {
  if (status === 415) return new Problem(415, 'Send JSON, with `Content-Type: application/json`')
  if (status === 413) return new Problem(413, 'The body is larger than is taken')
  if (status === 400) return new Problem(400, message || 'The body is not JSON')
  return new Problem(status in titles ? (status as ProblemStatus) : 400, message)
}

function fromLedger({ kind, message }: LedgerError): Problem {
  switch (kind) {
    case 'conflict':
      return conflict(message)
    case 'busy':
    case 'unavailable':
      return new Problem(503, 'The ledger is not available now; nothing was changed', {
        retryAfter: 5,
      })
    case 'damaged':
    case 'newer':
    case 'foreign':
      return new Problem(503, 'The ledger cannot be used; the log says what to do about it')
  }
}

export function answerProblem(context: Context, problem: Problem): Response {
  const body: ProblemView = {
    type: 'about:blank',
    title: titles[problem.status],
    status: problem.status,
    detail: problem.message,
    ...(problem.errors.length === 0 ? {} : { errors: [...problem.errors] }),
  }
  const headers: Record<string, string> = { 'content-type': 'application/problem+json' }
  if (problem.retryAfter !== null) headers['retry-after'] = String(problem.retryAfter)
  if (problem.status === 401) headers['www-authenticate'] = 'Bearer realm="secondwind"'
  return context.body(JSON.stringify(body), problem.status, headers)
}
