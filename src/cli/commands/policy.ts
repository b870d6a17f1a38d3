/** The commands of `policy`: show one, check one, save one, and try one on what was recorded. */

import type { Command } from 'commander'
import { parsePolicy, policyId } from '../../core/policy.ts'
import { formatDuration, formatPercent, plural } from '../../core/wording.ts'
import type { DryRunView, PolicyDetail, PolicyView } from '../../server/schema/policy.ts'
import { openApi } from '../api.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { readDataFile } from '../data-file.ts'
import { accountNames, findAccount } from '../finding.ts'
import { UsageError } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  const policy = program.command('policy').description('What is decided, and by which numbers.')
  addCommand(policy, terminal, {
    usage: 'list',
    summary: 'the policies that are stored, and who is run by them',
    run: list,
  })
  addCommand(policy, terminal, {
    usage: 'show [policy]',
    summary: 'all values of a policy: standard, classic or name@version',
    run: show,
  })
  addCommand(policy, terminal, {
    usage: 'validate <file>',
    summary: 'check a policy in a JSON or YAML file, and name what is wrong',
    run: validate,
  })
  addCommand(policy, terminal, {
    usage: 'save <file>',
    summary: 'store a policy under its name and version; accounts set --policy uses it',
    run: save,
  })
  addCommand(policy, terminal, {
    usage: 'dry-run <policy>',
    summary: 'what it would have done to recorded posts; name@version, or a file',
    shape: (command) =>
      command
        .option('--account <account>', 'one account, beside the policy in force there')
        .option('--days <count>', 'how far back, up to 90', '14'),
    run: dryRun,
  })
}

async function list(call: Call): Promise<void> {
  await using api = await openApi(call)
  const { items } = await api.get<{ readonly items: readonly PolicyView[] }>('/policies')
  const names = await accountNames(api)
  call.out.show(items, () =>
    items
      .map(({ id, accountIds }) => {
        const used = accountIds.map((accountId) => names.get(accountId) ?? accountId)
        return `${id}  ${used.length === 0 ? '(not in use)' : used.join(', ')}`
      })
      .join('\n'),
  )
}

async function show(call: Call): Promise<void> {
  const word = call.words[0] ?? 'standard'
  const id = word.includes('@') ? word : `${word}@1`
  await using api = await openApi(call)
  const { policy } = await api.get<PolicyDetail>(`/policies/${encodeURIComponent(id)}`)
  call.out.show(policy, () => JSON.stringify(policy, null, 2))
}

async function validate(call: Call): Promise<void> {
  const id = policyId(parsePolicy(await readDataFile(call.words[0] ?? '')))
  call.out.show({ valid: true, policy: id }, () => `${id} is valid.`)
}

async function save(call: Call): Promise<void> {
  const policy = parsePolicy(await readDataFile(call.words[0] ?? ''))
  await using api = await openApi(call)
  if (!call.dryRun) await api.post<PolicyDetail>('/policies', { policy })
  const id = policyId(policy)
  call.out.show({ saved: !call.dryRun, policy: id }, () =>
    call.dryRun ? `Would save ${id}.` : `Saved ${id}.`,
  )
}

async function dryRun(call: Call): Promise<void> {
  const [word = ''] = call.words
  const days = Number(optionText(call, 'days'))
  if (!Number.isInteger(days)) throw new UsageError('--days must be a whole number.')
  const policy = /\.(json|ya?ml)$/.test(word) ? parsePolicy(await readDataFile(word)) : word
  await using api = await openApi(call)
  const account = optionText(call, 'account')
  const accountId = account === null ? {} : { accountId: (await findAccount(api, account)).id }
  const view = await api.post<DryRunView>('/policies/dry-run', { policy, days, ...accountId })
  call.out.show(view, () =>
    [
      ...reportLines(view.report),
      ...(view.inForce === null ? [] : ['', 'In force there now:', ...reportLines(view.inForce)]),
      ...(view.more
        ? ['', 'There were more posts than are replayed at once; the newest were.']
        : []),
    ].join('\n'),
  )
}

function reportLines(report: DryRunView['report']): readonly string[] {
  const share = ({ count, of }: { readonly count: number; readonly of: number }) =>
    of === 0 ? 'none to tell' : `${count} of ${of} (${formatPercent(count / of)})`
  const { comment, edit, thread } = report.byAction
  return [
    `${report.policy} on ${plural(report.posts, 'post')}: ${plural(report.actions, 'action')} ` +
      `(${comment} comment, ${edit} edit, ${thread} thread)`,
    `  posts acted on:            ${share(report.actedOn)}`,
    `  stagnant posts reached:    ${share(report.stagnantReached)}`,
    `  healthy posts bothered:    ${share(report.healthyBothered)}`,
    `  first action at the age of ${
      report.medianFirstAgeMs === null ? '–' : formatDuration(report.medianFirstAgeMs)
    } (median)`,
  ]
}
