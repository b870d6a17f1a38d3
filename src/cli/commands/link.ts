/** The command `link`: lets whoever is at the machine into the dashboard, without a password. */

import type { Command } from 'commander'
import { addCommand, optionText, readConfig } from '../call.ts'
import type { Call } from '../call.ts'
import { openLocalServer } from '../local-api.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'link',
    summary:
      'Print a link that signs in to the dashboard of a server on this ledger, once and within ' +
      'an hour. For those who lost the password, or never had one.',
    shape: (command) =>
      command.option('--url <address>', 'where the server is, if not where it is configured'),
    run: link,
  })
}

async function link(call: Call): Promise<void> {
  const { config } = await readConfig(call)
  const given = optionText(call, 'url')
  if (given !== null && URL.parse(given) === null) {
    throw new UsageError(`--url: ${given} is not an address.`)
  }
  const base = given ?? config.publicUrl ?? `http://${config.host}:${config.port}`
  const { server, close } = await openLocalServer(call)
  try {
    const url = await server.signInLink(base)
    call.out.show({ url }, () => url)
  } finally {
    await close()
  }
}
