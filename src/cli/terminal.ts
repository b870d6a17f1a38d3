/** Owns what a command may touch of the process: two streams, data on one and talk on the other. */

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Terminal {
  /** For data alone, so that it can be piped. */
  readonly stdout: Stream
  /** For progress and problems. */
  readonly stderr: Stream
}

/** The command was not called as it is meant to be. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const
