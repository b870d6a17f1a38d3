/** The command `import`: takes over the history file of a classic executor. */

import type { Command } from 'commander'
import { InputError } from '../../core/input-error.ts'
import { plural } from '../../core/wording.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { readDataFile } from '../data-file.ts'
import { openInstallation } from '../installation.ts'
import { matchAccount, nameOf } from '../finding.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'import <file>',
    summary:
      'Take over the history file of a classic executor, so that its guards hold here too. ' +
      'What was running there is unknown here. Importing a file again changes nothing.',
    shape: (command) => command.requiredOption('--account <account>', 'whose history it is'),
    run: importHistory,
  })
}

async function importHistory(call: Call): Promise<void> {
  const [path = ''] = call.words
  const records = await readDataFile(path)
  if (!Array.isArray(records)) throw new InputError(path, 'must hold a list of records')
  await using installation = await openInstallation(call)
  const { ledger } = installation
  const word = optionText(call, 'account')
  if (word === null) throw new UsageError('--account says whose history it is.')
  const account = matchAccount(await ledger.listAccounts(), word)
  if (call.dryRun) {
    call.out.show({ records: records.length, imported: 0 }, () => {
      return `Would import up to ${plural(records.length, 'record')} into ${nameOf(account)}.`
    })
    return
  }
  const imported = await ledger.importClassic(account.id, records)
  call.out.show(
    { records: records.length, imported },
    () =>
      `Imported ${plural(imported, 'record')} of ${records.length} into ${nameOf(account)}` +
      (imported < records.length ? '; the others were there.' : '.'),
  )
}
