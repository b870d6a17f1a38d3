/** Owns what a migration is: one step forward of the schema, never changed once it was released. */

export interface Migration {
  /** From 1, without gaps. */
  readonly version: number
  readonly name: string
  /** The tables it adds; a ledger without one of them is damaged. */
  readonly tables?: readonly string[]
  /** The statements for a schema, whose name is given quoted. They run in one transaction. */
  readonly statements: (schema: string) => readonly string[]
}
