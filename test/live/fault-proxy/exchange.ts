/** Owns the shapes of what goes through the proxy, read in full. */

import type { IncomingHttpHeaders } from 'node:http'

export interface ProxiedRequest {
  readonly method: string
  /** With its query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** An answer of the server, read in full. */
export interface ServerAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export function isWrite({ method }: ProxiedRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS'
}
