/** The command `init`: from nothing to an account that is looked after, step by step. */

import type { Command } from 'commander'
import { formatPercent } from '../../core/wording.ts'
import type { AccountDetail, AccountTest } from '../../server/schema/account.ts'
import { openApi } from '../api.ts'
import type { Api } from '../api.ts'
import { addCommand, optionText, readConfig } from '../call.ts'
import type { Call } from '../call.ts'
import { connectAccount, findWay, showWay } from '../connecting.ts'
import { nameOf } from '../finding.ts'
import { choose } from '../questions.ts'
import { CommandError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'
import { addSettings, readSettings, settingsOfNew } from './accounts.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'init [platform]',
    summary:
      'Connect an account: choose a network, sign in, test by reading, and take over its latest ' +
      'posts. Nothing is ever sent before a person approves it, unless you say so.',
    shape: (command) =>
      addSettings(command)
        .option('--sign-in <way>', 'how to sign in, where there are several ways')
        .option('--set <name=value...>', 'what the sign-in asks for; @file reads it from a file'),
    run: init,
  })
}

async function init(call: Call): Promise<void> {
  const { config } = await readConfig(call)
  await using api = await openApi(call)
  call.out.say(`The ledger is ${config.database}.`)
  const given = await settingsOfNew(call)
  const isSaid = readSettings(call).holdoutShare !== undefined
  const holdoutShare = isSaid ? given.holdoutShare : await askHoldout(call, given.holdoutShare)
  const settings = { ...given, holdoutShare }
  const way = await findWay(call, api, {
    platform: call.words[0] ?? null,
    signIn: optionText(call, 'signIn'),
  })
  if (call.dryRun) return showWay(call, way)
  const account = await connectAccount(call, api, way, settings)
  await requireReadable(api, account)
  call.out.show(account, () => nextSteps(account))
}

/** A share that is left alone is the price of knowing whether it helps. */
async function askHoldout(call: Call, usual: number): Promise<number> {
  if (!call.mayAsk) return usual
  const answer = await choose('Leave some stalled posts alone, to measure whether it helps?', [
    { value: String(usual), label: `Yes, ${formatPercent(usual)}`, hint: 'recommended' },
    { value: '0.5', label: 'Yes, half of them', hint: 'the answer comes sooner' },
    { value: '0', label: 'No', hint: 'then nobody can say whether it helps' },
  ])
  return Number(answer)
}

async function requireReadable(api: Api, account: AccountDetail): Promise<void> {
  const test = await api.post<AccountTest>(`/accounts/${encodeURIComponent(account.id)}/test`)
  if (test.kind === 'ok') return
  throw new CommandError(
    `${nameOf(account)} was added, but cannot be read: ${test.detail} (${test.code}). ` +
      `secondwind accounts test ${nameOf(account)} tries again.`,
  )
}

function nextSteps(account: AccountDetail): string {
  const can = account.capabilities.filter(({ supported }) => supported)
  const actions = can.map(({ action }) => action).join(', ')
  return [
    `${nameOf(account)} is connected and can be read.`,
    `It may ${actions === '' ? 'be watched only' : actions} there; mode: ${account.mode}.`,
    '',
    'Next: secondwind serve',
    `It reads the posts of the last days, watches them, and ${wordMode(account)}.`,
  ].join('\n')
}

function wordMode({ mode }: AccountDetail): string {
  switch (mode) {
    case 'watch':
      return 'says what it would do'
    case 'approve':
      return 'asks you before it acts'
    case 'auto':
      return 'acts by itself'
  }
}
