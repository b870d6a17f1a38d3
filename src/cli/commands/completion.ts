/** The command `completion`: words for the shell to complete, as a script for it to load. */

import { Command } from 'commander'
import { addCommand } from '../call.ts'
import type { Call } from '../call.ts'
import { allCommands } from '../commands.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'completion <bash|zsh|fish>',
    summary: 'Print completions; for bash: source <(secondwind completion bash)',
    run: (call) => print(call, terminal),
  })
}

/** What can follow a command: the names of subcommands, and options. */
interface Completions {
  readonly command: string
  readonly words: readonly string[]
}

const shells: Readonly<Record<string, (all: readonly Completions[]) => string>> = {
  bash,
  zsh: (all) => `autoload -U +X bashcompinit && bashcompinit\n${bash(all)}`,
  fish,
}

async function print(call: Call, terminal: Terminal): Promise<void> {
  const [shell = ''] = call.words
  const write = Object.hasOwn(shells, shell) ? shells[shell] : undefined
  if (write === undefined) throw new UsageError(`${shell} is none of bash, zsh and fish.`)
  const all = await collect(terminal)
  call.out.show(all, () => write(all))
}

async function collect(terminal: Terminal): Promise<readonly Completions[]> {
  const all: Completions[] = [{ command: '', words: allCommands.map(({ name }) => name) }]
  for (const { name, load } of allCommands) {
    const program = new Command('secondwind')
    const { define: defineCommand } = await load()
    defineCommand(program, terminal)
    const [command] = program.commands
    if (command === undefined) continue
    all.push({ command: name, words: [...command.commands.map(nameOf), ...optionsOf(command)] })
    for (const child of command.commands) {
      all.push({ command: `${name} ${child.name()}`, words: optionsOf(child) })
    }
  }
  return all
}

function nameOf(command: Command): string {
  return command.name()
}

function optionsOf(command: Command): readonly string[] {
  return command.options.flatMap(({ long }) => long ?? [])
}

function bash(all: readonly Completions[]): string {
  const cases = all.map(({ command, words }) => `    '${command}') words='${words.join(' ')}' ;;`)
  return `_secondwind() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' word words=''
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _secondwind secondwind
`
}

function fish(all: readonly Completions[]): string {
  return `${all
    .map(({ command, words }) => {
      const seen = command.split(' ').filter((word) => word !== '')
      const condition =
        seen.length === 0
          ? '__fish_use_subcommand'
          : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
      return `complete -c secondwind -n '${condition}' -a '${words.join(' ')}'`
    })
    .join('\n')}\n`
}
