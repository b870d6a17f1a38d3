/** Owns checking what a caller asks for, before anything is looked up or sent. */

import { validateHeaderName, validateHeaderValue } from 'node:http'
import { InputError, shown } from '../../core/input-error.ts'
import { Secret } from '../../core/secret.ts'

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface FetchOptions {
  /** GET where it is left out. */
  readonly method?: Method
  /** A secret is revealed when the request is written, and not before. */
  readonly headers?: Readonly<Record<string, string | Secret>>
  readonly body?: string | Uint8Array | Secret | null
  readonly signal?: AbortSignal | undefined
  /** For the whole call, redirects and body included. */
  readonly timeoutMs?: number
  /** Of the body, as it comes and as it unpacks. */
  readonly maximumBytes?: number
  /**
   * Reads follow redirects and writes do not, unless this says otherwise. `manual` gives the
   * redirect itself as the answer.
   */
  readonly redirect?: 'follow' | 'manual'
}

/** A request in the form in which it is sent, once for each redirect. */
export interface OutgoingRequest {
  readonly method: Method
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string | Secret>
  readonly body: string | Uint8Array | Secret | null
}

export const isWrite = (method: Method): boolean => method !== 'GET' && method !== 'HEAD'

/** These decide how a message is framed or where it goes, which is not the caller's to say. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

export function parseRequest(options: FetchOptions, userAgent: string): OutgoingRequest {
  const method = options.method ?? 'GET'
  const body = options.body ?? null
  if (body !== null && !isWrite(method)) {
    throw new InputError('body', `a ${method} request has none`)
  }
  const headers = new Map<string, string | Secret>([['user-agent', userAgent]])
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers.set(parseHeaderName(name), requireHeaderValue(name, value))
  }
  return { method, headers, body }
}

function parseHeaderName(name: string): string {
  const lower = name.toLowerCase()
  if (ownHeaders.has(lower)) throw new InputError(`headers.${lower}`, 'is set by the fetch itself')
  try {
    validateHeaderName(lower)
  } catch {
    throw new InputError('headers', `${shown(name)} is not a name of a header`)
  }
  return lower
}

/** A line break in a value would begin a header of its own. The value is not shown. */
function requireHeaderValue(name: string, value: string | Secret): string | Secret {
  try {
    validateHeaderValue(name, revealed(value))
  } catch {
    throw new InputError(`headers.${name}`, 'holds a character that no header may hold')
  }
  return value
}

export function revealed<Value>(value: Value | Secret): Value | string {
  return value instanceof Secret ? value.reveal() : value
}
