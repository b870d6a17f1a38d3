/** Owns asking for a reason before something is refused. */

import { useState } from 'react'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Field } from '../design/field.tsx'

export interface AskReasonProps {
  readonly title: string
  readonly description: string
  readonly confirm: string
  readonly isBusy?: boolean
  readonly onClose: () => void
  readonly onConfirm: (reason: string) => void
}

export function AskReason(props: AskReasonProps) {
  const { title, description, confirm, isBusy = false, onClose, onConfirm } = props
  const [reason, setReason] = useState('')
  const submit = () => onConfirm(reason.trim())
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      description={description}
      goOn={
        <Button tone="main" isBusy={isBusy} onClick={submit}>
          {confirm}
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label="Reason" hint="Kept in the audit log. It may stay empty.">
          {(control) => (
            <input
              {...control}
              className="input"
              maxLength={1000}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          )}
        </Field>
      </form>
    </Dialog>
  )
}
