/** Owns what a migration is: one step forward of the schema, never changed once it was released. */

export interface Migration {
  /** From 1, without gaps. */
  readonly version: number
  readonly name: string
  /**
   * The oldest version of the program that may go on working on what it leaves, so that two
   * versions can run side by side while a new one is rolled out. It names an older one where it
   * only adds: tables, functions under new names, indexes, columns with a default. Where it takes
   * away or changes what older programs use it names none, and they refuse the ledger from then on.
   */
  readonly usableFrom?: number
  /** The tables it adds; a ledger without one of them is damaged. */
  readonly tables?: readonly string[]
  /** The statements for a schema, whose name is given quoted. They run in one transaction. */
  readonly statements: (schema: string) => readonly string[]
}
