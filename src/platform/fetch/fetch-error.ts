/**
 * Owns the one error of the guarded fetch. It says what happened and whether anything was sent, and
 * holds nothing that was: no header, no body, no query. The machine's own errors are not kept as
 * causes, because some of them carry the bytes that were on the wire.
 */

export type FetchErrorKind =
  /** The name leads to an address inside the owner's network, or to none that is public. */
  | 'refused_address'
  | 'bad_url'
  | 'dns'
  | 'connect'
  /** The handshake failed: the certificate, most often. */
  | 'tls'
  | 'timeout'
  /** The caller gave up. */
  | 'aborted'
  /** The connection broke after it had been made. */
  | 'reset'
  | 'too_large'
  | 'bad_redirect'
  /** The answer is not HTTP, does not unpack, or is not what its reader expects. */
  | 'malformed'

export interface FetchFailure {
  readonly kind: FetchErrorKind
  /** Whether a byte of the request may have left. A write that was sent may have been applied. */
  readonly sent: boolean
  /** From `placeOf`. */
  readonly where: string
  /** What happened, in words. */
  readonly problem: string
  /** The machine's name for it, like ECONNREFUSED. */
  readonly code?: string | null
}

export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly kind: FetchErrorKind
  readonly sent: boolean
  readonly where: string
  readonly problem: string
  readonly code: string | null

  constructor({ kind, sent, where, problem, code = null }: FetchFailure) {
    super(`${where}: ${problem}${code === null ? '' : ` (${code})`}`)
    this.kind = kind
    this.sent = sent
    this.where = where
    this.problem = problem
    this.code = code
  }
}

const longestPath = 200

/** A URL as it may be shown: queries carry tokens, and a name before the host is a login. */
export function placeOf(url: URL): string {
  const path = url.pathname
  const shownPath = path.length > longestPath ? `${path.slice(0, longestPath)}…` : path
  return `${url.protocol}//${url.host}${shownPath}`
}

/** The machine's name for an error, if it is one of its constants: those never hold data. */
export function codeOf(error: unknown): string | null {
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : null
}
