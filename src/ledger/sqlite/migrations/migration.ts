/** Owns the shape of a migration: one step forward, in one transaction. There is no way back. */

export interface Migration {
  /** The version that the file has afterwards; each is one more than the one before. */
  readonly version: number
  readonly name: string
  readonly sql: string
}
