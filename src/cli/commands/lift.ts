/** The command `lift`: whether actions help, said plainly, with the interval. */

import { Option } from 'commander'
import type { Command } from 'commander'
import { formatDuration } from '../../core/wording.ts'
import type { GroupLiftView, LiftView } from '../../server/schema/lift.ts'
import { openApi } from '../api.ts'
import { addCommand, optionText } from '../call.ts'
import type { Call } from '../call.ts'
import { accountNames, findAccount } from '../finding.ts'
import { liftLine } from '../lift-page.ts'
import type { Terminal } from '../terminal.ts'
import { wrap } from '../wrapping.ts'

export function define(program: Command, terminal: Terminal): void {
  const horizons = ['2h', '24h', '7d']
  addCommand(program, terminal, {
    usage: 'lift',
    summary: 'Whether it helps: gain against posts that were left alone at random.',
    shape: (command) =>
      command
        .option('--account <account>', 'one account; all unless said otherwise')
        .addOption(
          new Option('--after <duration>', 'how long after').choices(horizons).default('24h'),
        ),
    run: lift,
  })
}

async function lift(call: Call): Promise<void> {
  await using api = await openApi(call)
  const word = optionText(call, 'account')
  const accountId = word === null ? null : (await findAccount(api, word)).id
  const report = await api.get<LiftView>('/lift', { horizon: optionText(call, 'after'), accountId })
  const names = await accountNames(api)
  call.out.show(report, () => page(report, names, call.out.width))
}

function page(report: LiftView, names: ReadonlyMap<string, string>, width: number): string {
  const lineOf = (group: GroupLiftView, name?: string) => wrap(liftLine(group, name), width, '  ')
  const section = (title: string, groups: readonly GroupLiftView[]) =>
    groups.length === 0
      ? []
      : ['', `${title}:`, ...groups.flatMap((each) => lineOf(each, names.get(each.name)))]
  return [
    `Gain ${formatDuration(report.horizonMs)} after, against posts left alone:`,
    ...lineOf(report.pooled, 'everything'),
    ...section('By action', report.byAction),
    ...section('By tier', report.byTier),
    ...section('By platform', report.byPlatform),
    ...section('By account', report.byAccount),
    ...report.hints.flatMap((hint) => ['', ...wrap(hint, width)]),
  ].join('\n')
}
