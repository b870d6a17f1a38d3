/** Owns what can still be done about an action, as the server says it. */

import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { ActionDetail, PossibleDecision } from '../../../../src/server/schema/action.ts'
import { AskReason } from '../../decisions/ask-reason.tsx'
import { useDecision } from '../../decisions/use-decision.ts'
import type { Decision } from '../../decisions/use-decision.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Attend } from './attend.tsx'

type Asking = 'cancel' | 'attend' | 'undo' | null

export function ActionControls({ action }: { readonly action: ActionDetail }) {
  const [asking, setAsking] = useState<Asking>(null)
  const decision = useDecision(() => setAsking(null))
  const send = (made: Decision) => decision.mutate({ subject: action, decision: made })
  const can = (kind: PossibleDecision) => action.possible.includes(kind)
  const close = () => setAsking(null)
  return (
    <>
      {can('approve') ? (
        <Link to="/inbox" search={{ id: action.id }} className="button" data-tone="main">
          Decide in the inbox
        </Link>
      ) : null}
      {can('attend') ? (
        <Button tone="main" onClick={() => setAsking('attend')}>
          Say what became of it
        </Button>
      ) : null}
      {can('retry') ? (
        <Button isBusy={decision.isPending} onClick={() => send({ kind: 'retry' })}>
          Look at the post anew
        </Button>
      ) : null}
      {can('undo') ? <Button onClick={() => setAsking('undo')}>Undo</Button> : null}
      {can('cancel') ? (
        <Button tone="danger" onClick={() => setAsking('cancel')}>
          Cancel
        </Button>
      ) : null}
      {asking === 'cancel' ? (
        <AskReason
          title={`Cancel this ${action.action}?`}
          description="It is not sent. Nothing of it is out yet."
          confirm="Cancel the action"
          isBusy={decision.isPending}
          onClose={close}
          onConfirm={(reason) => send({ kind: 'cancel', reason })}
        />
      ) : null}
      {asking === 'attend' ? (
        <Attend isBusy={decision.isPending} onClose={close} onSend={send} />
      ) : null}
      {asking === 'undo' ? (
        <Dialog
          isOpen
          onClose={close}
          title={`Take this ${action.action} back?`}
          description="The undo is an action of its own. Whoever saw it has seen it."
          goOn={
            <Button tone="main" isBusy={decision.isPending} onClick={() => send({ kind: 'undo' })}>
              Plan the undo
            </Button>
          }
        />
      ) : null}
    </>
  )
}
