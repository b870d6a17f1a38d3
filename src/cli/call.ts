/**
 * Owns how a command is declared and what it is given. Every command takes the same few global
 * options, at any place of the line; data goes to stdout and all else to stderr.
 */

import type { Command } from 'commander'
import { homedir } from 'node:os'
import { requireConfig } from '../config/load-config.ts'
import type { ConfigRequest, LoadedConfig } from '../config/load-config.ts'
import type { FieldName } from '../config/fields.ts'
import { Output } from './output.ts'
import type { Terminal } from './terminal.ts'

export type Options = Readonly<Record<string, unknown>>

/** One call of one command. */
export interface Call {
  /** The words after the command's name, as its usage names them; absent ones are undefined. */
  readonly words: readonly (string | undefined)[]
  /** Words of the last argument where it takes any number. */
  readonly rest: readonly string[]
  readonly options: Options
  readonly terminal: Terminal
  readonly out: Output
  /** Whether a person can be asked. */
  readonly mayAsk: boolean
  /** Whether questions are answered with yes. */
  readonly yes: boolean
  /** Whether nothing may be changed. */
  readonly dryRun: boolean
}

export interface CommandSpec {
  /** Its name and words: `show <post>`. */
  readonly usage: string
  readonly summary: string
  /** Options of its own, and more help. */
  readonly shape?: (command: Command) => unknown
  readonly run: (call: Call) => Promise<void>
}

export function addCommand(parent: Command, terminal: Terminal, spec: CommandSpec): Command {
  const command = parent.command(spec.usage).description(spec.summary)
  spec.shape?.(command)
  addGlobalOptions(command)
  command.action(async (...given: unknown[]) => {
    const words = given.slice(0, -2) as (string | readonly string[] | undefined)[]
    const rest = words.findLast((word): word is readonly string[] => Array.isArray(word)) ?? []
    await spec.run({
      ...callFor(terminal, command.opts()),
      words: words.map((word) => (typeof word === 'string' ? word : undefined)),
      rest,
    })
  })
  return command
}

function addGlobalOptions(command: Command): void {
  command
    .optionsGroup('Everywhere:')
    .option('--json', 'print JSON for programs')
    .option('--no-input', 'ask nothing; what is missing is an error')
    .option('--yes', 'answer questions with yes')
    .option('--dry-run', 'change nothing, and say what would be done')
    .option('--quiet', 'say nothing but data and errors')
    .option('--config <file>', 'the configuration file')
    .option('--database <address>', 'the ledger: a file, or a postgres:// address')
    .option('--server <address>', 'ask a server elsewhere instead, with SECONDWIND_TOKEN')
}

function callFor(terminal: Terminal, options: Options): Omit<Call, 'words' | 'rest'> {
  const out = new Output(terminal, options['json'] === true, options['quiet'] === true)
  const isTerminal = terminal.stdin.isTTY === true && terminal.stderr.isTTY === true
  return {
    options,
    terminal,
    out,
    mayAsk: options['input'] !== false && isTerminal,
    yes: options['yes'] === true,
    dryRun: options['dryRun'] === true,
  }
}

/** What was typed for an option, or null. */
export function optionText({ options }: Pick<Call, 'options'>, name: string): string | null {
  const value = options[name]
  return typeof value === 'string' ? value : null
}

/** Flags that stand for a field of the configuration. */
const fieldFlags: readonly FieldName[] = [
  'database',
  'host',
  'port',
  'publicUrl',
  'concurrency',
  'healthPort',
]

export function configRequest(call: Pick<Call, 'options' | 'terminal'>): ConfigRequest {
  const flags: Partial<Record<FieldName, string>> = {}
  for (const name of fieldFlags) {
    const text = optionText(call, name)
    if (text !== null) flags[name] = text
  }
  const { env } = call.terminal
  return {
    flags,
    env,
    file: optionText(call, 'config'),
    folder: call.terminal.cwd(),
    home: env['HOME'] ?? homedir(),
  }
}

export function readConfig(call: Pick<Call, 'options' | 'terminal'>): Promise<LoadedConfig> {
  return requireConfig(configRequest(call))
}
