/** Owns the errors of a ledger that cannot be used. None is ever answered by emptying it. */

/** What a person has to do differs with the kind. */
export type LedgerErrorKind =
  /** Its contents contradict themselves or cannot be read. Restore a backup. */
  | 'damaged'
  /** It was written by a newer program. Upgrade this one. */
  | 'newer'
  /** It is not one of ours. */
  | 'foreign'
  /** The disk is full, the file read-only, the server away. Nothing was lost. */
  | 'unavailable'
  /** Others held it for too long; the call may be repeated. */
  | 'busy'
  /** The same key, id or version stands for something else already. */
  | 'conflict'

export class LedgerError extends Error {
  override readonly name = 'LedgerError'
  readonly kind: LedgerErrorKind

  constructor(kind: LedgerErrorKind, message: string, options?: { cause: unknown }) {
    super(message, options)
    this.kind = kind
  }
}
