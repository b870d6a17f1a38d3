/** Owns what a command may touch of the process: streams, environment and folder. */

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

export interface Terminal {
  /** For data alone, so that it can be piped. */
  readonly stdout: Stream
  /** For progress, questions and problems. */
  readonly stderr: Stream
  readonly stdin: { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  cwd(): string
}

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  /** A guard holds it. */
  refused: 3,
  /** A person has to approve it first. */
  needsApproval: 4,
  /** Something was busy or away; the same call may work later. */
  tryAgain: 75,
  interrupted: 130,
} as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** Ends a command with an exit code of its own. The message says what to do next. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError'
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The command was not called as it is meant to be. */
export class UsageError extends CommandError {
  override readonly name = 'UsageError'

  constructor(message: string) {
    super(message, exitCodes.usage)
  }
}
