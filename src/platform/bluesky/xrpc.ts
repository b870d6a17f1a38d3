/** Owns how a method of the network is called over HTTP, and how its errors are named. */

import { z } from 'zod'
import type { Json } from '../../core/json.ts'
import type { Secret } from '../../core/secret.ts'
import type { FetchOptions } from '../fetch/request.ts'
import type { GuardedResponse } from '../fetch/guarded-response.ts'

/** A query reads, a procedure writes. */
export type XrpcCall =
  | {
      readonly kind: 'query'
      readonly method: string
      readonly params: readonly (readonly [name: string, value: string])[]
    }
  | { readonly kind: 'procedure'; readonly method: string; readonly body: Json }

export function query(
  method: string,
  params: Readonly<Record<string, string | readonly string[]>>,
): XrpcCall {
  const pairs = Object.entries(params).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value).map((each) => [name, each] as const),
  )
  return { kind: 'query', method, params: pairs }
}

export function procedure(method: string, body: Json): XrpcCall {
  return { kind: 'procedure', method, body }
}

export function urlOf(server: string, call: XrpcCall): URL {
  const url = new URL(`/xrpc/${call.method}`, server)
  if (call.kind === 'procedure') return url
  for (const [name, value] of call.params) url.searchParams.append(name, value)
  return url
}

export function requestOf(
  call: XrpcCall,
  headers: Readonly<Record<string, string | Secret>>,
  signal: AbortSignal,
): FetchOptions {
  if (call.kind === 'query') return { method: 'GET', headers, signal }
  const body = call.body === null ? null : JSON.stringify(call.body)
  const type = body === null ? {} : { 'content-type': 'application/json' }
  return { method: 'POST', headers: { ...headers, ...type }, body, signal }
}

/** Of OAuth and of the network's own methods alike. */
const errorSchema = z.object({ error: z.string().regex(/^[A-Za-z][A-Za-z0-9_.]{0,80}$/) })

/** The network's own name for an error; null where the answer is none of the network's. */
export function errorNameOf(response: GuardedResponse): string | null {
  if (response.ok || response.size === 0) return null
  try {
    return response.parse(errorSchema).error
  } catch {
    return null
  }
}
