/** The command `plan`: looks at a post out of turn. The exit code says what it came to. */

import type { Command } from 'commander'
import type { EvaluationView, PostDetail } from '../../server/schema/post.ts'
import { openApi } from '../api.ts'
import type { Api } from '../api.ts'
import { addCommand } from '../call.ts'
import type { Call } from '../call.ts'
import { findPostId, shortId } from '../finding.ts'
import { CommandError, exitCodes } from '../terminal.ts'
import type { Terminal } from '../terminal.ts'

export function define(program: Command, terminal: Terminal): void {
  addCommand(program, terminal, {
    usage: 'plan <post>',
    summary:
      'Have a post looked at now. Exit code 0: planned or nothing to do; 3: a guard holds it; ' +
      '4: planned, and a person has to approve it. With --dry-run nothing is stored.',
    run: plan,
  })
}

async function plan(call: Call): Promise<void> {
  await using api = await openApi(call)
  const id = await findPostId(api, call.words[0] ?? '')
  const path = `/posts/${encodeURIComponent(id)}`
  const { verdict, action } = await api.post<EvaluationView>(`${path}/evaluate`)
  const open = call.dryRun || verdict.kind !== 'plan' ? null : await checkNow(api, path)
  call.out.show({ verdict, action, planned: open }, () =>
    [
      verdict.sentence,
      ...(open === null ? [] : [`${open.action} ${shortId(open.id)}: ${open.state}.`]),
    ].join('\n'),
  )
  if (verdict.kind === 'hold') {
    throw new CommandError(`Held by ${verdict.reason ?? 'a guard'}.`, exitCodes.refused)
  }
  if (open?.state === 'awaiting_approval') {
    throw new CommandError(
      `secondwind actions approve ${shortId(open.id)} lets it go out.`,
      exitCodes.needsApproval,
    )
  }
}

/** The engine looks at it when it next turns round, which is at once where one is running. */
async function checkNow(api: Api, path: string): Promise<PostDetail['actions'][number] | null> {
  await api.post(`${path}/check`)
  const { actions } = await api.get<PostDetail>(path)
  return actions.findLast(({ endedAt }) => endedAt === null) ?? null
}
