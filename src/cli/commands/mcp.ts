/** The command `mcp`: lets an assistant on this machine list, explain and decide, over stdio. */

import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { Option } from 'commander'
import type { Command } from 'commander'
import { createMcpServer } from '../../server/mcp/tools.ts'
import { scopes } from '../../server/schema/session.ts'
import type { Scope } from '../../server/schema/session.ts'
import { openAsk } from '../api.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { interrupted } from '../running.ts'
import type { Terminal } from '../terminal.ts'
import { packageVersion } from '../version.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'mcp',
    summary:
      'Speak the Model Context Protocol over stdio. It can do what its scope allows: read unless ' +
      'said otherwise. A server offers the same at /mcp to those with a token.',
    shape: (command) =>
      command.addOption(
        new Option('--scope <scope>', 'what the assistant may do').choices(scopes).default('read'),
      ),
    run: mcp,
  })
}

async function mcp(call: Call): Promise<void> {
  const scope = (optionText(call, 'scope') ?? 'read') as Scope
  const { ask, close } = await openAsk(call, scope)
  const handle = serveStdio(() => createMcpServer(ask, packageVersion()))
  const closed = new Promise((resolve) => {
    process.stdin.once('close', resolve)
  })
  try {
    await Promise.race([interrupted(), closed])
  } finally {
    await handle.close()
    await close()
  }
}
