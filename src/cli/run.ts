/** Finds the command that was asked for, runs it, and turns what went wrong into words. */

import { backtestCommand, backtestUsage } from './backtest.ts'
import { UsageError, exitCodes } from './terminal.ts'
import type { Terminal } from './terminal.ts'

const usage = `usage: secondwind <command>

commands:
  ${backtestUsage}
    replay a policy over recorded posts: what it would have done, and how right that was

secondwind <command> --help says more.
`

const commands: Readonly<
  Record<string, (words: readonly string[], terminal: Terminal) => Promise<void>>
> = { backtest: backtestCommand }

/** Returns the exit code: 0 for well, 1 for an error, 2 for a wrong call. */
export async function run(words: readonly string[], terminal: Terminal): Promise<number> {
  const [name = '--help', ...rest] = words
  if (name === '--help' || name === '-h') {
    // Called without a word it is a question that was not asked, and data goes to stdout only.
    const stream = words.length === 0 ? terminal.stderr : terminal.stdout
    stream.write(usage)
    return words.length === 0 ? exitCodes.usage : exitCodes.ok
  }
  try {
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined) throw new UsageError(`There is no command ${name}.`)
    await command(rest, terminal)
    return exitCodes.ok
  } catch (error) {
    return tell(error, terminal)
  }
}

function tell(error: unknown, { stderr }: Terminal): number {
  const message = error instanceof Error ? error.message : String(error)
  stderr.write(`secondwind: ${message}\n`)
  if (!(error instanceof UsageError)) return exitCodes.failed
  stderr.write('Try secondwind --help.\n')
  return exitCodes.usage
}
