/** The command `db match`: after a restore, finds what went out since the backup was made. */

import { formatInstant } from '../core/instant.ts'
import { plural } from '../core/wording.ts'
import type { AccountView } from '../server/schema/account.ts'
import type { ActionView } from '../server/schema/action.ts'
import type { PauseView } from '../server/schema/pause.ts'
import type { AccountMatch, MatchBody } from '../server/schema/restore.ts'
import { systemClock } from '../system.ts'
import { openApi } from './api.ts'
import type { Api } from './api.ts'
import { optionText } from './call.ts'
import type { Call } from './call.ts'
import { listAccounts, matchAccount, nameOf, shortId } from './finding.ts'
import { parsePast } from './moments.ts'
import { CommandError, exitCodes } from './terminal.ts'
import { wrap } from './wrapping.ts'

interface Result {
  readonly account: AccountView
  readonly match: AccountMatch
}

export async function matchRestored(call: Call): Promise<void> {
  await using api = await openApi(call)
  const accounts = await pausedByRestore(call, api)
  if (call.dryRun || accounts.length === 0) {
    call.out.show({ accounts: accounts.map(({ id }) => id) }, () =>
      accounts.length === 0
        ? 'No account is paused by a restore.'
        : `Would read the timelines of ${accounts.map(nameOf).join(', ')}.`,
    )
    return
  }
  const since = optionText(call, 'since')
  const at = since === null ? null : parsePast(since, systemClock.now(), '--since')
  const body: MatchBody = at === null ? {} : { since: formatInstant(at) }
  const results: Result[] = []
  for (const account of accounts) {
    call.out.say(`Reading the timeline of ${nameOf(account)} …`)
    const path = `/accounts/${encodeURIComponent(account.id)}/match`
    results.push({ account, match: await api.post<AccountMatch>(path, body) })
  }
  call.out.show(
    results.map(({ account, match }) => ({ accountId: account.id, ...match })),
    () => results.map((result) => matchPage(result, call.out.width)).join('\n\n'),
  )
  if (!results.every(isMatched)) {
    throw new CommandError('Not every account was matched; its pause stays.', exitCodes.tryAgain)
  }
}

async function pausedByRestore(call: Call, api: Api): Promise<readonly AccountView[]> {
  const all = await listAccounts(api)
  const named = optionText(call, 'account')
  const asked = named === null ? all : [matchAccount(all, named)]
  const { items } = await api.get<{ readonly items: readonly PauseView[] }>('/pauses')
  const paused = new Set(
    items.filter(({ restore }) => restore !== null).map(({ target }) => target),
  )
  return asked.filter(({ id }) => paused.has(id))
}

function isMatched({ match }: Result): boolean {
  return match.kind === 'not_restored' || (match.kind === 'read' && match.pause !== 'kept')
}

function matchPage({ account, match }: Result, width: number): string {
  const name = nameOf(account)
  if (match.kind === 'not_restored') return `${name}: no restore has paused it.`
  if (match.kind === 'failed') {
    return wrap(`${name}: cannot be read: ${match.detail} (${match.code}).`, width).join('\n')
  }
  const { posts, unread, replies, cancelled, doubtful, open } = match
  const found = replies.map(({ postId, remoteId, at }) => {
    return `  ${at.slice(0, 16).replace('T', ' ')}  post ${shortId(postId)}  ${remoteId}`
  })
  const paragraphs = [
    `${name}: read ${plural(posts, 'post')}. ${pauseWords[match.pause]}`,
    ...(unread.length === 0
      ? []
      : [`${plural(unread.length, 'post')} could not be read; try again.`]),
    replies.length === 0
      ? 'Nothing went out since the backup that the ledger does not know.'
      : 'Replies since the backup that the ledger did not make; they count from now on:',
  ]
  return [
    ...paragraphs.flatMap((words) => wrap(words, width)),
    ...found,
    ...listOf('Cancelled, as one of them may be theirs:', cancelled, width),
    ...listOf('Look on the network how far these got, before you resume by hand:', doubtful, width),
    ...listOf('Brought back by the backup and still open:', open, width),
  ].join('\n')
}

const pauseWords = {
  lifted: 'Its pause is lifted.',
  paused_before: 'It stays paused, as it was before the backup.',
  kept: 'Its pause stays.',
} as const

function listOf(title: string, actions: readonly ActionView[], width: number): readonly string[] {
  if (actions.length === 0) return []
  const rows = actions.map(({ id, action, state, postId }) => {
    return `  ${shortId(id)}  ${action} on post ${shortId(postId)}, ${state.replaceAll('_', ' ')}`
  })
  return [...wrap(title, width), ...rows]
}
