/** The commands of `tokens`: what programs show to be let in, and a link for people. */

import { Option } from 'commander'
import type { Command } from 'commander'
import { formatInstant } from '../../core/instant.ts'
import { scopes } from '../../server/schema/session.ts'
import type { NewTokenBody, NewTokenView, Scope, TokenView } from '../../server/schema/session.ts'
import { systemClock } from '../../system.ts'
import { openApi } from '../api.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { findAccount } from '../finding.ts'
import { parseMoment } from '../moments.ts'
import { formatTable } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  const tokens = program.command('tokens').description('Tokens of programs that ask the server.')
  addCommand(tokens, terminal, {
    usage: 'add <name>',
    summary: 'make one; it is shown this once',
    shape: (command) =>
      command
        .addOption(new Option('--scope <scope>', 'what it may do').choices(scopes).default('read'))
        .option('--account <account...>', 'the accounts it may see; all unless said otherwise')
        .option('--expires <time>', 'such as 90d; never unless said otherwise'),
    run: add,
  })
  addCommand(tokens, terminal, { usage: 'list', summary: 'all of them', run: list })
  addCommand(tokens, terminal, {
    usage: 'remove <id>',
    summary: 'revoke one; it is refused from then on',
    run: remove,
  })
}

async function add(call: Call): Promise<void> {
  await using api = await openApi(call)
  const words = (call.options['account'] as readonly string[] | undefined) ?? []
  const accountIds: string[] = []
  for (const word of words) accountIds.push((await findAccount(api, word)).id)
  const expires = optionText(call, 'expires')
  const body: NewTokenBody = {
    name: call.words[0] ?? '',
    scope: (optionText(call, 'scope') ?? 'read') as Scope,
    accountIds: accountIds.length === 0 ? null : accountIds,
    expiresAt:
      expires === null ? null : formatInstant(parseMoment(expires, systemClock.now(), '--expires')),
  }
  if (call.dryRun) {
    call.out.show(body, () => `Would make a token with the scope ${body.scope}.`)
    return
  }
  const token = await api.post<NewTokenView>('/tokens', body)
  // The token alone, so that it can be piped into a file.
  call.out.say(`Shown this once. Its scope is ${token.scope}.`)
  call.out.show(token, () => token.secret)
}

async function list(call: Call): Promise<void> {
  await using api = await openApi(call)
  const { items } = await api.get<{ readonly items: readonly TokenView[] }>('/tokens')
  call.out.show(items, () =>
    items.length === 0
      ? 'No token yet; secondwind tokens add makes one.'
      : formatTable(
          items,
          [
            { title: 'id', value: ({ id }) => id },
            { title: 'name', value: ({ name }) => name, isFlexible: true },
            { title: 'scope', value: ({ scope }) => scope },
            {
              title: 'accounts',
              value: ({ accountIds }) => accountIds?.join(', ') ?? 'all',
              isFlexible: true,
            },
            { title: 'expires', value: ({ expiresAt }) => expiresAt?.slice(0, 10) ?? 'never' },
          ],
          call.out.width,
        ),
  )
}

async function remove(call: Call): Promise<void> {
  await using api = await openApi(call)
  const [id = ''] = call.words
  if (!call.dryRun) await api.remove(`/tokens/${encodeURIComponent(id)}`)
  call.out.show({ id, removed: !call.dryRun }, () => {
    return `${call.dryRun ? 'Would revoke' : 'Revoked'} ${id}.`
  })
}
