/** The command `pause`: no send begins once it returns. */

import type { Command } from 'commander'
import { formatInstant } from '../../core/instant.ts'
import { plural } from '../../core/wording.ts'
import type { PauseBody, PauseView, Paused } from '../../server/schema/pause.ts'
import { systemClock } from '../../system.ts'
import { openApi } from '../api.ts'
import type { Api } from '../api.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { findAccount } from '../finding.ts'
import { parseMoment } from '../moments.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'pause',
    summary: 'Stop sending. What is in flight is listed; nothing new begins.',
    shape: (command) =>
      addScope(command)
        .option('--reason <words>', 'why, for whoever finds it paused')
        .option('--until <time>', 'when it ends by itself, such as 2h or 2026-01-31T09:00:00Z'),
    run: pause,
  })
}

export function addScope(command: Command): Command {
  return command
    .option('--all', 'everything; so it is where nothing else is said')
    .option('--account <account>', 'one account')
    .option('--platform <platform>', 'one platform')
}

export type Scope = Pick<PauseView, 'scope' | 'target'>

export async function readScope(call: Call, api: Api): Promise<Scope> {
  const account = optionText(call, 'account')
  const platform = optionText(call, 'platform')
  const given = [account, platform, call.options['all'] ?? null].filter((each) => each !== null)
  if (given.length > 1) throw new UsageError('Give one of --all, --account and --platform.')
  if (account !== null) return { scope: 'account', target: (await findAccount(api, account)).id }
  if (platform !== null) return { scope: 'platform', target: platform }
  return { scope: 'everything', target: '' }
}

export function wordScope({ scope, target }: Scope): string {
  return scope === 'everything' ? 'everything' : `${scope} ${target}`
}

async function pause(call: Call): Promise<void> {
  await using api = await openApi(call)
  const scope = await readScope(call, api)
  const text = optionText(call, 'until')
  const until = text === null ? null : parseMoment(text, systemClock.now(), '--until')
  const body: PauseBody = {
    ...scope,
    reason: optionText(call, 'reason') ?? 'paused on the command line',
    until: until === null ? null : formatInstant(until),
  }
  const { inFlight } = call.dryRun ? { inFlight: [] } : await api.post<Paused>('/pauses', body)
  call.out.show({ ...body, inFlight }, () =>
    [
      `${call.dryRun ? 'Would pause' : 'Paused'} ${wordScope(scope)}` +
        (until === null ? '.' : ` until ${formatInstant(until)}.`),
      inFlight.length === 0
        ? 'Nothing is in flight.'
        : `${plural(inFlight.length, 'action')} in flight may still land: ` +
          inFlight.map(({ id }) => id).join(', '),
    ].join('\n'),
  )
}
