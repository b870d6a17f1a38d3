/** Finds the command that was asked for, runs it, and turns what went wrong into words. */

import { Command, CommanderError } from 'commander'
import { InputError } from '../core/input-error.ts'
import { nearest } from '../core/nearest.ts'
import { LedgerError } from '../ledger/ledger-error.ts'
import { allCommands, commandGroups } from './commands.ts'
import { CommandError, UsageError, exitCodes } from './terminal.ts'
import type { ExitCode, Terminal } from './terminal.ts'
import { packageVersion } from './version.ts'

export async function run(words: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    const [name] = words
    if (name === '--version' || name === '-V') terminal.stdout.write(`${packageVersion()}\n`)
    else if (name === '--help' || name === '-h' || name === 'help') await help(words, terminal)
    else if (name === undefined) {
      // A question that was not asked is answered on stderr: data goes to stdout only.
      terminal.stderr.write(overview())
      return exitCodes.usage
    } else await call(words, terminal)
    return exitCodes.ok
  } catch (error) {
    return tell(error, terminal, words)
  }
}

async function help(words: readonly string[], terminal: Terminal): Promise<void> {
  const [first, ...rest] = words
  if (first === 'help' && rest.length > 0) await call([...rest, '--help'], terminal)
  else terminal.stdout.write(overview())
}

async function call(words: readonly string[], terminal: Terminal): Promise<void> {
  const [name = ''] = words
  const entry = allCommands.find((each) => each.name === name)
  if (entry === undefined) throw unknownCommand(name)
  const program = new Command('secondwind')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      // What is wrong is told once, by this file.
      writeErr: () => {},
      getOutHelpWidth: () => terminal.stdout.columns ?? 80,
    })
    .configureHelp({ showGlobalOptions: false })
  const { define } = await entry.load()
  define(program, terminal)
  await program.parseAsync(words, { from: 'user' })
}

function unknownCommand(name: string): UsageError {
  if (name.startsWith('-')) {
    return new UsageError(`Options such as ${name} stand after the command.`)
  }
  const known = allCommands.map((each) => each.name)
  const meant = nearest(name, known)
  return new UsageError(
    `There is no command ${name}.${meant === null ? '' : ` Did you mean ${meant}?`}`,
  )
}

function overview(): string {
  const widest = Math.max(...allCommands.map(({ name }) => name.length))
  const groups = commandGroups.map(({ title, commands }) =>
    [
      `${title}:`,
      ...commands.map(({ name, summary }) => `  ${name.padEnd(widest)}  ${summary}`),
    ].join('\n'),
  )
  return `${[
    'Second Wind notices when a post has stalled, and helps it at most once.',
    'usage: secondwind <command> [options]',
    ...groups,
    'secondwind <command> --help says more. New here? Try secondwind demo.',
  ].join('\n\n')}\n`
}

function tell(error: unknown, { stderr }: Terminal, [name]: readonly string[]): ExitCode {
  if (error instanceof CommanderError) {
    // Help was asked for, or given where a subcommand is missing.
    if (error.exitCode === 0) return exitCodes.ok
    if (error.code === 'commander.help') {
      stderr.write('secondwind: A subcommand is missing.\n')
      return exitCodes.usage
    }
    stderr.write(`secondwind: ${error.message.replace(/^error: /, '')}\n`)
    return exitCodes.usage
  }
  const message = error instanceof Error ? error.message : String(error)
  stderr.write(`secondwind: ${message}\n`)
  const known = allCommands.some((each) => each.name === name) ? `${name} ` : ''
  if (error instanceof UsageError) stderr.write(`Try secondwind ${known}--help.\n`)
  return exitCodeOf(error)
}

function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandError) return error.exitCode
  if (error instanceof InputError) return exitCodes.usage
  if (error instanceof LedgerError && ['busy', 'unavailable'].includes(error.kind)) {
    return exitCodes.tryAgain
  }
  return exitCodes.failed
}
