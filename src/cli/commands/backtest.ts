/** The command `backtest`, joined to the others. It reads its own words. */

import type { Command } from 'commander'
import { backtestCommand } from '../backtest.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  program
    .command('backtest')
    .argument('[words...]')
    .description('Replay a policy over recorded posts.')
    .helpOption(false)
    .allowUnknownOption()
    .action(async (words: readonly string[]) => backtestCommand(words, terminal))
}
