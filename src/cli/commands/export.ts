/** The command `export`: everything of one kind, as CSV or as a line of JSON each. */

import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Option } from 'commander'
import type { Command } from 'commander'
import { openApi } from '../api.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { findAccount } from '../finding.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

const kinds = ['posts', 'samples', 'actions', 'events']

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'export <what>',
    summary: `Write ${kinds.join(', ')} to stdout, or to a file.`,
    shape: (command) =>
      command
        .addOption(new Option('--format <format>').choices(['csv', 'json']).default('json'))
        .option('--account <account>', 'of one account')
        .option('--out <file>', 'where to; it must not be there yet'),
    run: exportRows,
  })
}

async function exportRows(call: Call): Promise<void> {
  const [what = ''] = call.words
  if (!kinds.includes(what)) throw new UsageError(`${what} is none of ${kinds.join(', ')}.`)
  await using api = await openApi(call)
  const word = optionText(call, 'account')
  const accountId = word === null ? null : (await findAccount(api, word)).id
  const query = { format: optionText(call, 'format') ?? 'json', accountId }
  const rows = Readable.fromWeb(
    (await api.stream(`/export/${what}`, query)) as Parameters<typeof Readable.fromWeb>[0],
  )
  const path = optionText(call, 'out')
  if (path !== null) {
    await pipeline(rows, createWriteStream(path, { flags: 'wx' }))
    call.out.say(`Wrote ${path}.`)
    return
  }
  const decoder = new TextDecoder()
  for await (const chunk of rows) {
    call.terminal.stdout.write(decoder.decode(chunk as Uint8Array, { stream: true }))
  }
}
