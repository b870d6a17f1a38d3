/** Owns the one error about the history file: which file, where in it, and what to do. */

/**
 * Thrown when the history file cannot be used or saved. A file that cannot be read is never taken
 * for an empty history, because every guard would be forgotten; it is left as it is.
 */
export class HistoryFileError extends Error {
  override readonly name = 'HistoryFileError'
  /** The file, as an absolute path. */
  readonly path: string
  /** Counted from 1; null where the file as a whole is meant. */
  readonly line: number | null

  constructor(
    path: string,
    line: number | null,
    problem: string,
    advice: string,
    options?: ErrorOptions,
  ) {
    const place = line === null ? path : `${path}, line ${line}`
    super(`history file ${place}: ${problem}; ${advice}`, options)
    this.path = path
    this.line = line
  }
}

/** The text of anything that was thrown, for an error that wraps it. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
