/** The commands of `accounts`: add, list, show, test, prove, change, remove. */

import { Option } from 'commander'
import type { Command } from 'commander'
import { formatPercent } from '../../core/wording.ts'
import type {
  AccountChange,
  AccountDetail,
  AccountTest,
  AccountView,
} from '../../server/schema/account.ts'
import { openApi } from '../api.ts'
import { addCommand, optionText, readConfig } from '../call.ts'
import type { Call } from '../call.ts'
import { connectAccount, findWay, reconnectAccount, showWay } from '../connecting.ts'
import { findAccount, listAccounts, nameOf } from '../finding.ts'
import { proveAccount } from '../proving.ts'
import { requireYes } from '../questions.ts'
import { formatTable } from '../table.ts'
import { CommandError, UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  const accounts = program.command('accounts').description('The accounts that are looked after.')
  addCommand(accounts, terminal, {
    usage: 'add [platform]',
    summary: 'connect one; asks for what it needs, or takes it from --set',
    shape: (command) =>
      addSettings(command)
        .option('--sign-in <way>', 'how to sign in, where there are several ways')
        .option('--set <name=value...>', 'what the sign-in asks for; @file reads it from a file')
        .option('--external <handle>', 'one without a network, whose counters are pushed'),
    run: add,
  })
  addCommand(accounts, terminal, {
    usage: 'sign-in <account>',
    summary: 'sign in again, after its credentials died',
    shape: (command) =>
      command
        .option('--sign-in <way>', 'how to sign in, where there are several ways')
        .option('--set <name=value...>', 'what the sign-in asks for; @file reads it from a file'),
    run: signInAgain,
  })
  addCommand(accounts, terminal, { usage: 'list', summary: 'all of them', run: list })
  addCommand(accounts, terminal, {
    usage: 'show <account>',
    summary: 'what it can do, and within which limits',
    run: show,
  })
  addCommand(accounts, terminal, {
    usage: 'test <account>',
    summary: 'read who it is; writes nothing on the network',
    run: test,
  })
  addCommand(accounts, terminal, {
    usage: 'prove <account>',
    summary: 'try out what reading does not show; posts something and removes it',
    run: proveAccount,
  })
  addCommand(accounts, terminal, {
    usage: 'set <account>',
    summary: 'change how it is run',
    shape: addSettings,
    run: change,
  })
  addCommand(accounts, terminal, {
    usage: 'remove <account>',
    summary: 'erase it: secrets and texts go, keys and hashes stay',
    run: remove,
  })
}

export function addSettings(command: Command): Command {
  const modes = ['watch', 'approve', 'auto']
  return command
    .addOption(new Option('--mode <mode>', 'who decides').choices(modes))
    .option('--policy <policy>', 'as name@version')
    .option('--time-zone <zone>', 'for its quiet hours')
    .option('--holdout-share <share>', 'left alone to measure against: 0, or 0.2 to 0.8')
}

export function readSettings(call: Call): AccountChange {
  const share = optionText(call, 'holdoutShare')
  const mode = optionText(call, 'mode') as AccountView['mode'] | null
  const policy = optionText(call, 'policy')
  const timeZone = optionText(call, 'timeZone')
  if (share !== null && !Number.isFinite(Number(share))) {
    throw new UsageError(`--holdout-share: ${share} is not a number.`)
  }
  return {
    ...(mode === null ? {} : { mode }),
    ...(policy === null ? {} : { policy }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(share === null ? {} : { holdoutShare: Number(share) }),
  }
}

/** What the configuration says of new accounts, and before it what this call says. */
export async function settingsOfNew(call: Call) {
  const { config } = await readConfig(call)
  const said = readSettings(call)
  const policy = config.policy.includes('@') ? config.policy : `${config.policy}@1`
  return {
    mode: said.mode ?? config.mode,
    timeZone: said.timeZone ?? config.timeZone,
    holdoutShare: said.holdoutShare ?? config.holdoutShare,
    policy: said.policy ?? policy,
  }
}

async function add(call: Call): Promise<void> {
  await using api = await openApi(call)
  const settings = await settingsOfNew(call)
  const handle = optionText(call, 'external')
  if (handle !== null) {
    const { policy, timeZone } = settings
    const body = { kind: 'external', handle, policy, timeZone }
    if (call.dryRun) {
      call.out.show(body, () => `Would add ${handle}, whose counters are pushed.`)
      return
    }
    const account = await api.post<AccountDetail>('/accounts', body)
    call.out.show(account, () => `Added ${nameOf(account)}; push its counters to /api/v1/samples.`)
    return
  }
  const way = await findWay(call, api, {
    platform: call.words[0] ?? null,
    signIn: optionText(call, 'signIn'),
  })
  if (call.dryRun) return showWay(call, way)
  const account = await connectAccount(call, api, way, settings)
  call.out.show(account, () => `Added ${nameOf(account)}, ${wordMode(account)}.`)
}

async function signInAgain(call: Call): Promise<void> {
  await using api = await openApi(call)
  const account = await findAccount(api, call.words[0] ?? '')
  const { platform } = account
  const way = await findWay(call, api, { platform, signIn: optionText(call, 'signIn') })
  if (call.dryRun) return showWay(call, way)
  const signedIn = await reconnectAccount(call, api, account, way)
  call.out.show(signedIn, () => `${nameOf(signedIn)} is signed in again.`)
}

async function list(call: Call): Promise<void> {
  await using api = await openApi(call)
  const rows = await listAccounts(api)
  call.out.show(rows, () =>
    rows.length === 0
      ? 'No account yet. secondwind init connects one; secondwind demo needs none.'
      : formatTable(
          rows,
          [
            { title: 'account', value: nameOf, isFlexible: true },
            { title: 'mode', value: ({ mode }) => mode },
            { title: 'policy', value: ({ policy }) => policy },
            { title: 'held out', value: ({ holdoutShare }) => formatPercent(holdoutShare) },
            {
              title: 'state',
              value: wordState,
              isFlexible: true,
            },
          ],
          call.out.width,
        ),
  )
}

async function show(call: Call): Promise<void> {
  await using api = await openApi(call)
  const { id } = await findAccount(api, call.words[0] ?? '')
  const account = await api.get<AccountDetail>(`/accounts/${encodeURIComponent(id)}`)
  call.out.show(account, () =>
    [
      `${nameOf(account)}: ${wordMode(account)}, ${account.policy}, ${account.timeZone}`,
      `State:    ${wordState(account)}`,
      `Held out: ${formatPercent(account.holdoutShare)}`,
      '',
      ...account.capabilities.map(({ action, supported, why, writeClass, canUndo }) =>
        supported
          ? `  ${action.padEnd(8)} yes, class ${writeClass}${canUndo ? ', can be taken back' : ''}`
          : `  ${action.padEnd(8)} no: ${why}`,
      ),
    ].join('\n'),
  )
}

async function test(call: Call): Promise<void> {
  await using api = await openApi(call)
  const account = await findAccount(api, call.words[0] ?? '')
  const result = await api.post<AccountTest>(`/accounts/${encodeURIComponent(account.id)}/test`)
  if (result.kind === 'failed') {
    throw new CommandError(`${nameOf(account)} cannot be read: ${result.detail} (${result.code}).`)
  }
  call.out.show(result, () => `${nameOf(account)} can be read, as ${result.handle}.`)
}

async function change(call: Call): Promise<void> {
  const settings = readSettings(call)
  if (Object.keys(settings).length === 0) {
    throw new UsageError('Say what to change: --mode, --policy, --time-zone or --holdout-share.')
  }
  await using api = await openApi(call)
  const account = await findAccount(api, call.words[0] ?? '')
  if (settings.mode === 'auto' && account.mode !== 'auto') {
    await requireYes(call, `Let ${nameOf(account)} act without asking anyone?`)
  }
  const path = `/accounts/${encodeURIComponent(account.id)}`
  const changed = call.dryRun
    ? { ...account, ...settings }
    : await api.patch<AccountDetail>(path, settings)
  call.out.show(changed, () => {
    const words = Object.entries(settings).map(([name, value]) => `${name} ${value}`)
    return `${nameOf(account)}: ${call.dryRun ? 'would be ' : ''}${words.join(', ')}.`
  })
}

async function remove(call: Call): Promise<void> {
  await using api = await openApi(call)
  const account = await findAccount(api, call.words[0] ?? '')
  await requireYes(
    call,
    `Erase ${nameOf(account)}? Its secrets and texts go for good; the audit log stays.`,
  )
  if (!call.dryRun) await api.remove(`/accounts/${encodeURIComponent(account.id)}`)
  call.out.show({ id: account.id, removed: !call.dryRun }, () => {
    return `${call.dryRun ? 'Would remove' : 'Removed'} ${nameOf(account)}.`
  })
}

function wordState({ status, statusReason }: AccountView): string {
  return statusReason === null ? status : `${status}: ${statusReason}`
}

function wordMode({ mode }: AccountView): string {
  switch (mode) {
    case 'watch':
      return 'watching only'
    case 'approve':
      return 'asking before it acts'
    case 'auto':
      return 'acting by itself'
  }
}
