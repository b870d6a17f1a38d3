/** Owns what matching an account with its network found. */

import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { ActionView } from '../../../../src/server/schema/action.ts'
import type { AccountMatch } from '../../../../src/server/schema/restore.ts'
import { Time } from '../../design/time.tsx'
import { plural } from '../../words/numbers.ts'
import { stateWords } from '../../words/states.ts'

const pauseWords = {
  lifted: 'Its pause is lifted.',
  paused_before: 'It stays paused, as it was before the backup.',
  kept: 'Its pause stays.',
} as const

export function MatchResult({ match }: { readonly match: AccountMatch }) {
  switch (match.kind) {
    case 'not_restored':
      return <Note tone="good">No restore has paused it any more.</Note>
    case 'failed':
      return <Note tone="bad">{`It cannot be read: ${match.detail} (${match.code}).`}</Note>
    case 'read':
      return <Found match={match} />
  }
}

function Note({ tone, children }: { readonly tone: string; readonly children: ReactNode }) {
  return (
    <p role="status" className="note" data-tone={tone}>
      {children}
    </p>
  )
}

function Found({ match }: { readonly match: AccountMatch & { readonly kind: 'read' } }) {
  const { posts, unread, replies, cancelled, doubtful, open, pause } = match
  return (
    <div className="grid gap-4">
      <Note tone={pause === 'kept' ? 'warn' : 'good'}>
        {`${plural(posts, 'post')} read. ${pauseWords[pause]}`}
        {unread.length === 0
          ? ''
          : ` ${plural(unread.length, 'post')} could not be read; try again later.`}
      </Note>
      {replies.length === 0 ? (
        <p className="text-ink-soft">
          Nothing went out since the backup that the ledger does not know.
        </p>
      ) : (
        <Listed title="Replies since then that the ledger did not make; they count from now on">
          {replies.map(({ postId, remoteId, at }) => (
            <li key={remoteId}>
              <Time at={at} />, on{' '}
              <Link to="/posts/$postId" params={{ postId }} className="link">
                this post
              </Link>
            </li>
          ))}
        </Listed>
      )}
      <Actions title="Cancelled, as one of these may be theirs" actions={cancelled} />
      <Actions title="Look on the network how far these got before you resume" actions={doubtful} />
      <Actions title="Brought back by the backup and still open" actions={open} />
    </div>
  )
}

interface ActionsProps {
  readonly title: string
  readonly actions: readonly ActionView[]
}

function Actions({ title, actions }: ActionsProps) {
  if (actions.length === 0) return null
  return (
    <Listed title={title}>
      {actions.map(({ id, action, state }) => (
        <li key={id}>
          <Link to="/actions/$actionId" params={{ actionId: id }} className="link">
            {action}
          </Link>
          , {stateWords[state].label}
        </li>
      ))}
    </Listed>
  )
}

function Listed({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h3 className="text-sm font-medium">{title}</h3>
      <ul className="mt-1 list-disc pl-5 text-sm text-ink-soft">{children}</ul>
    </div>
  )
}
