/** The commands of `actions`: what waits for a person, and what became of the rest. */

import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { plural } from '../../core/wording.ts'
import type {
  ActionDetail,
  ActionPage,
  ActionSummary,
  BulkResult,
  Retried,
} from '../../server/schema/action.ts'
import { openApi } from '../api.ts'
import type { Api } from '../api.ts'
import { actionPage, actionsTable } from '../action-pages.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { findAccount, findActionId, shortId } from '../finding.ts'
import { parseDuration } from '../moments.ts'
import { requireYes } from '../questions.ts'
import { CommandError, UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  const actions = program.command('actions').description('What is to be done, and what was.')
  addCommand(actions, terminal, {
    usage: 'list',
    summary: 'newest first',
    shape: (command) =>
      command
        .option('--account <account>', 'of one account')
        .option('--state <state...>', 'such as awaiting_approval, unknown, needs_attention')
        .option('--limit <count>', 'how many', '20'),
    run: list,
  })
  addCommand(actions, terminal, {
    usage: 'show <action>',
    summary: 'the whole story: plan, guards, approval, sends, measurement',
    run: show,
  })
  addCommand(actions, terminal, {
    usage: 'approve [actions...]',
    summary: 'let them go out; the text is shown first',
    shape: (command) =>
      command
        .option('--all', 'all that wait')
        .option('--account <account>', 'with --all: of one account')
        .option('--text <text>', 'send this text instead; @file reads it from a file'),
    run: approve,
  })
  addDecisions(actions, terminal)
}

function addDecisions(actions: Command, terminal: Terminal): void {
  const withReason = (command: Command) => command.option('--reason <words>', 'why')
  addCommand(actions, terminal, {
    usage: 'reject <actions...>',
    summary: 'they are not sent; the same is not proposed again for a day',
    shape: withReason,
    run: (call) => decideEach(call, 'reject', reasonOf(call), 'Rejected'),
  })
  addCommand(actions, terminal, {
    usage: 'cancel <actions...>',
    summary: 'they are not sent, as long as nothing of them is out',
    shape: withReason,
    run: (call) => decideEach(call, 'cancel', reasonOf(call), 'Cancelled'),
  })
  addCommand(actions, terminal, {
    usage: 'snooze <actions...>',
    summary: 'ask again later',
    shape: (command) => command.option('--for <duration>', 'how long', '1h'),
    run: (call) => {
      const forMs = parseDuration(optionText(call, 'for') ?? '1h', '--for')
      return decideEach(call, 'snooze', { forMs }, 'Snoozed')
    },
  })
  addCommand(actions, terminal, {
    usage: 'attend <action>',
    summary: 'say what became of one that only a person can find out',
    shape: (command) =>
      command
        .option('--landed', 'it can be seen on the network')
        .option('--not-landed', 'it cannot be seen there')
        .option('--url <address>', 'where it can be seen'),
    run: attend,
  })
  addCommand(actions, terminal, {
    usage: 'undo <action>',
    summary: 'take it back, where the network can',
    run: undo,
  })
  addCommand(actions, terminal, {
    usage: 'retry <action>',
    summary: 'after a failure: have its post looked at anew; guards decide',
    run: retry,
  })
}

function reasonOf(call: Call) {
  return { reason: optionText(call, 'reason') ?? '' }
}

function pathOf(id: string): string {
  return `/actions/${encodeURIComponent(id)}`
}

async function list(call: Call): Promise<void> {
  await using api = await openApi(call)
  const word = optionText(call, 'account')
  const page = await api.get<ActionPage>('/actions', {
    accountId: word === null ? null : (await findAccount(api, word)).id,
    state: (call.options['state'] as readonly string[] | undefined) ?? [],
    limit: optionText(call, 'limit'),
  })
  call.out.show(page.items, () =>
    page.items.length === 0 ? 'No action matches.' : actionsTable(page.items, call.out),
  )
}

async function show(call: Call): Promise<void> {
  await using api = await openApi(call)
  const id = await findActionId(api, call.words[0] ?? '')
  const action = await api.get<ActionDetail>(pathOf(id))
  call.out.show(action, () => actionPage(action, call.out))
}

async function approve(call: Call): Promise<void> {
  await using api = await openApi(call)
  if (call.options['all'] === true) return approveAll(call, api)
  if (call.rest.length === 0) throw new UsageError('Name the actions to approve, or --all.')
  const text = await readText(call)
  if (text !== null && call.rest.length > 1) {
    throw new UsageError('--text is for one action at a time.')
  }
  const approved: ActionSummary[] = []
  for (const word of call.rest) {
    const id = await findActionId(api, word)
    const action = await api.get<ActionDetail>(pathOf(id))
    if (!call.yes && !call.out.isJson) call.out.say(text ?? action.text ?? '')
    await requireYes(call, `Let this ${action.action} go out as ${action.handle}?`)
    // Bound to the very text that was shown: another one by now is refused.
    const body = { textHash: action.textHash, ...(text === null ? {} : { text }) }
    if (!call.dryRun) approved.push(await api.post<ActionSummary>(`${pathOf(id)}/approve`, body))
  }
  call.out.show(approved, () => {
    return call.dryRun ? 'Nothing was approved.' : `Approved ${plural(approved.length, 'action')}.`
  })
}

async function approveAll(call: Call, api: Api): Promise<void> {
  const word = optionText(call, 'account')
  const filter = word === null ? {} : { accountId: (await findAccount(api, word)).id }
  const body = { filter, decision: { kind: 'approve' } }
  const preview = await api.post<BulkResult>('/approvals/bulk', body)
  if (preview.kind !== 'preview') throw new CommandError('The server decided without being asked.')
  const count = preview.matched.length
  if (count === 0 || call.dryRun) {
    call.out.show(preview, () => (count === 0 ? 'Nothing waits.' : `Would approve ${count}.`))
    return
  }
  await requireYes(call, `Let ${plural(count, 'action')} go out?`)
  const done = await api.post<BulkResult>('/approvals/bulk', { ...body, digest: preview.digest })
  const results = done.kind === 'done' ? done.results : []
  const well = results.filter(({ result }) => result === 'done').length
  call.out.show(results, () =>
    [
      `Approved ${plural(well, 'action')}.`,
      ...results
        .filter(({ result }) => result !== 'done')
        .map(({ id, result, state }) => `${shortId(id)} was not: ${result} (${state}).`),
      ...(preview.more ? ['There are more; run it again.'] : []),
    ].join('\n'),
  )
}

async function readText(call: Call): Promise<string | null> {
  const text = optionText(call, 'text')
  if (text === null || !text.startsWith('@')) return text
  const read = await readFile(text.slice(1), 'utf8').catch(() => null)
  if (read === null) throw new UsageError(`--text: ${text.slice(1)} cannot be read.`)
  return read.trimEnd()
}

async function decideEach(call: Call, what: string, body: object, done: string): Promise<void> {
  await using api = await openApi(call)
  const decided: ActionSummary[] = []
  for (const word of call.rest) {
    const id = await findActionId(api, word)
    if (!call.dryRun) decided.push(await api.post<ActionSummary>(`${pathOf(id)}/${what}`, body))
  }
  call.out.show(decided, () =>
    call.dryRun
      ? `Would ${what} ${plural(call.rest.length, 'action')}.`
      : `${done} ${plural(decided.length, 'action')}.`,
  )
}

async function attend(call: Call): Promise<void> {
  const landed = call.options['landed'] === true
  if (landed === (call.options['notLanded'] === true)) {
    throw new UsageError('Say what you found: --landed or --not-landed.')
  }
  await using api = await openApi(call)
  const id = await findActionId(api, call.words[0] ?? '')
  const body = { landed, url: optionText(call, 'url') }
  const action = call.dryRun
    ? await api.get<ActionSummary>(pathOf(id))
    : await api.post<ActionSummary>(`${pathOf(id)}/attend`, body)
  call.out.show(action, () => `${shortId(id)} is ${action.state.replaceAll('_', ' ')}.`)
}

async function undo(call: Call): Promise<void> {
  await using api = await openApi(call)
  const id = await findActionId(api, call.words[0] ?? '')
  await requireYes(call, `Take ${shortId(id)} back on the network?`)
  if (call.dryRun) {
    call.out.show({ undoes: id }, () => `Would take ${shortId(id)} back.`)
    return
  }
  const row = await api.post<ActionSummary>(`${pathOf(id)}/undo`)
  call.out.show(row, () => `Planned to take ${shortId(id)} back, as ${shortId(row.id)}.`)
}

async function retry(call: Call): Promise<void> {
  await using api = await openApi(call)
  const id = await findActionId(api, call.words[0] ?? '')
  if (call.dryRun) {
    call.out.show({ id }, () => `Would have the post of ${shortId(id)} looked at.`)
    return
  }
  const retried = await api.post<Retried>(`${pathOf(id)}/retry`)
  call.out.show(retried, () => retried.sentence)
}
