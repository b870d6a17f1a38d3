/** The connector to a simulated network that is served over HTTP. */

import { secondMs } from '../../core/duration.ts'
import type { Platform } from '../platform.ts'
import type { Profile } from './profile.ts'
import type { Answer, Call, CallKind, CallOf, Caller, RefusalCode, Wire } from './protocol.ts'
import { SimulatedPlatform } from './simulated-platform.ts'
import { accountHeader, callPath, parseAnswer, parseRefusal } from './wire-schema.ts'
import { WireFailure } from './wire-error.ts'

export interface RemoteOptions {
  /** What the network is like; a connector knows this of its network beforehand. */
  readonly profile: Profile
  /** Where it is served, as `http://127.0.0.1:port`. */
  readonly url: string
}

export function connectOverHttp({ profile, url }: RemoteOptions): Platform {
  return new SimulatedPlatform(profile, new HttpWire(url))
}

/** Only these prove that no connection came about. Anything else may have carried the call. */
const unreachableCodes = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'ENETUNREACH'])

const codesByStatus: Readonly<Record<number, RefusalCode>> = {
  400: 'invalid',
  401: 'credentials',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  422: 'invalid',
  429: 'rate_limit',
}

class HttpWire implements Wire {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  async send<Kind extends CallKind>(
    call: CallOf<Kind>,
    caller: Caller,
    signal: AbortSignal,
  ): Promise<Answer<Kind>> {
    const { response, body } = await this.#exchange(call as Call, caller, signal)
    if (!response.ok) return toRefusal(response, body)
    const answer = parseAnswer<Kind>(call.kind, body)
    if (answer === null) throw new WireFailure('malformed')
    return { kind: 'done', ...answer }
  }

  async #exchange(call: Call, { handle, bearer }: Caller, signal: AbortSignal) {
    try {
      const response = await fetch(this.#url + callPath + call.kind, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [accountHeader]: encodeURIComponent(handle),
          ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        },
        body: JSON.stringify(call),
        // Following one could send a write twice.
        redirect: 'manual',
        signal,
      })
      return { response, body: parseJson(await response.text()) }
    } catch (error) {
      if (signal.aborted) throw new WireFailure('given_up')
      throw new WireFailure(isUnreachable(error) ? 'unreachable' : 'broken')
    }
  }
}

/** Null where it is no JSON, which is never an answer. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function toRefusal(response: Response, body: unknown): Answer & { readonly kind: 'refused' } {
  const { status } = response
  const code = parseRefusal(body) ?? codesByStatus[status] ?? 'server_error'
  const retryAfterMs = parseRetryAfter(response.headers.get('retry-after'))
  return { kind: 'refused', status, code, message: '', retryAfterMs }
}

function parseRetryAfter(header: string | null): number | null {
  if (header === null || !/^\d{1,9}$/.test(header)) return null
  return Number(header) * secondMs
}

/** `fetch` hides the reason in the cause of its error. */
function isUnreachable(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  const code = cause instanceof Error && 'code' in cause ? cause.code : null
  return typeof code === 'string' && unreachableCodes.has(code)
}
