/** The command `openapi`: the description of the HTTP API, for tools that read one. */

import type { Command } from 'commander'
import { addCommand } from '../call.ts'
import type { Call } from '../call.ts'
import { openStatelessApi } from '../local-api.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'openapi',
    summary: 'Print the description of the HTTP API (OpenAPI 3.1).',
    run: openapi,
  })
}

async function openapi(call: Call): Promise<void> {
  await using api = await openStatelessApi()
  const description = await api.document()
  call.out.show(description, () => JSON.stringify(description, null, 2))
}
