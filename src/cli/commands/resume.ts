/** The command `resume`: lifts a pause. */

import type { Command } from 'commander'
import type { PauseView } from '../../server/schema/pause.ts'
import { openApi } from '../api.ts'
import { addCommand } from '../call.ts'
import type { Call } from '../call.ts'
import { CommandError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'
import { addScope, readScope, wordScope } from './pause.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'resume',
    summary: 'Lift a pause. Other pauses that cover the same account still hold.',
    shape: addScope,
    run: resume,
  })
}

async function resume(call: Call): Promise<void> {
  await using api = await openApi(call)
  const scope = await readScope(call, api)
  const { items } = await api.get<{ readonly items: readonly PauseView[] }>('/pauses')
  const found = items.find((row) => row.scope === scope.scope && row.target === scope.target)
  if (found === undefined) {
    const others = items.map(wordScope).join(', ')
    const hint = others === '' ? 'Nothing is paused.' : `Paused are: ${others}.`
    throw new CommandError(`There is no pause of ${wordScope(scope)}. ${hint}`)
  }
  if (!call.dryRun) await api.remove('/pauses', { ...scope })
  const left = items.filter((row) => row !== found)
  call.out.show({ ...scope, stillPaused: left }, () =>
    [
      `${call.dryRun ? 'Would resume' : 'Resumed'} ${wordScope(scope)}.`,
      ...left.map((row) => `Still paused: ${wordScope(row)} (${row.reason}).`),
    ].join('\n'),
  )
}
