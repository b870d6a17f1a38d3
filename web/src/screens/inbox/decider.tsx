/** Owns one action in full, and the decision about it. */

import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { ActionSummary, PossibleDecision } from '../../../../src/server/schema/action.ts'
import { AskLater } from '../../decisions/ask-later.tsx'
import { AskReason } from '../../decisions/ask-reason.tsx'
import { EditText } from '../../decisions/edit-text.tsx'
import { useDecision } from '../../decisions/use-decision.ts'
import type { Decision } from '../../decisions/use-decision.ts'
import { StateMark } from '../../design/action-marks.tsx'
import { Button } from '../../design/button.tsx'
import { Prose } from '../../design/prose.tsx'
import { Time } from '../../design/time.tsx'
import { ActionPreview } from '../../preview/action-preview.tsx'
import { GuardList, summariseGuards } from '../../preview/guard-list.tsx'
import { useKeys } from '../../shell/keys.ts'
import { formatScore } from '../../words/numbers.ts'
import { tierWords } from '../../words/states.ts'

export interface DeciderProps {
  readonly action: ActionSummary
  /** After a decision that leaves the inbox with one less to decide. */
  readonly onDone: () => void
}

type Asking = 'edit' | 'reject' | 'snooze' | null

export function Decider({ action, onDone }: DeciderProps) {
  const [asking, setAsking] = useState<Asking>(null)
  const decision = useDecision(({ decision: { kind } }) => {
    setAsking(null)
    if (kind !== 'revise') onDone()
  })
  const send = (made: Decision) => {
    if (!decision.isPending) decision.mutate({ subject: action, decision: made })
  }
  return (
    <section aria-label="The action" className="card grid gap-5 p-4 sm:p-5">
      <Heading action={action} />
      <ActionPreview action={action} />
      <DecisionBar action={action} isBusy={decision.isPending} onAsk={setAsking} onSend={send} />
      <Reasons action={action} />
      {asking === 'edit' ? (
        <EditText
          action={action}
          isBusy={decision.isPending}
          onClose={() => setAsking(null)}
          onSave={(text) => send({ kind: 'revise', text })}
          onApprove={(text) =>
            send(text === action.text ? { kind: 'approve' } : { kind: 'approve', text })
          }
        />
      ) : null}
      {asking === 'reject' ? (
        <AskReason
          title={`Reject this ${action.action}?`}
          description="Nothing is sent. The same action on this post is not planned for 24 hours."
          confirm="Reject"
          isBusy={decision.isPending}
          onClose={() => setAsking(null)}
          onConfirm={(reason) => send({ kind: 'reject', reason })}
        />
      ) : null}
      {asking === 'snooze' ? (
        <AskLater
          expiresAt={action.expiresAt}
          onClose={() => setAsking(null)}
          onChoose={(forMs) => send({ kind: 'snooze', forMs })}
        />
      ) : null}
    </section>
  )
}

function Heading({ action }: { readonly action: ActionSummary }) {
  return (
    <header className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <h2 className="text-lg! first-letter:uppercase">
        {action.undoes === null ? action.action : `undo of a ${action.action}`} for {action.handle}
      </h2>
      <StateMark state={action.state} />
      <span className="text-sm text-ink-faint">
        {tierWords[action.tier]} · score {formatScore(action.score)} · planned{' '}
        <Time at={action.plannedAt} />
        {action.state === 'awaiting_approval' ? (
          <>
            {' '}
            · runs out <Time at={action.expiresAt} />
          </>
        ) : null}
      </span>
    </header>
  )
}

interface DecisionBarProps {
  readonly action: ActionSummary
  readonly isBusy: boolean
  readonly onAsk: (asking: Asking) => void
  readonly onSend: (decision: Decision) => void
}

function DecisionBar({ action, isBusy, onAsk, onSend }: DecisionBarProps) {
  const navigate = useNavigate()
  const can = (kind: PossibleDecision) => action.possible.includes(kind)
  const approve = () => onSend({ kind: 'approve' })
  const openAction = () =>
    void navigate({ to: '/actions/$actionId', params: { actionId: action.id } })
  useKeys({
    a: can('approve') ? approve : undefined,
    e: can('revise') ? () => onAsk('edit') : undefined,
    r: can('reject') ? () => onAsk('reject') : undefined,
    s: can('snooze') ? () => onAsk('snooze') : undefined,
    o: openAction,
  })
  return (
    <div className="flex flex-wrap items-center gap-2">
      {can('approve') ? (
        <Button tone="main" shortcut="a" isBusy={isBusy} onClick={approve}>
          Approve
        </Button>
      ) : null}
      {can('revise') ? (
        <Button shortcut="e" disabled={isBusy} onClick={() => onAsk('edit')}>
          Edit
        </Button>
      ) : null}
      {can('reject') ? (
        <Button tone="danger" shortcut="r" disabled={isBusy} onClick={() => onAsk('reject')}>
          Reject
        </Button>
      ) : null}
      {can('snooze') ? (
        <Button shortcut="s" disabled={isBusy} onClick={() => onAsk('snooze')}>
          Snooze
        </Button>
      ) : null}
      <span className="ml-auto flex gap-4 text-sm">
        <Link to="/posts/$postId" params={{ postId: action.postId }} className="link">
          The post
        </Link>
        <Link to="/actions/$actionId" params={{ actionId: action.id }} className="link">
          The whole action
        </Link>
      </span>
    </div>
  )
}

function Reasons({ action }: { readonly action: ActionSummary }) {
  return (
    <div className="grid gap-4 border-t border-line pt-4">
      <div>
        <h3 className="mb-1">Why</h3>
        <p className="text-sm text-ink-soft">
          <Prose text={action.why ?? 'The verdict that planned it is not stored any more.'} />
        </p>
      </div>
      <details open={action.guards.some(({ kind }) => kind === 'hold')}>
        <summary className="cursor-pointer text-sm">
          <span className="font-semibold">Guards</span>{' '}
          <span className="text-ink-faint">{summariseGuards(action.guards)}</span>
        </summary>
        <div className="mt-2">
          <GuardList guards={action.guards} />
        </div>
      </details>
    </div>
  )
}
