/** Owns asking a person what became of an action that nobody else can tell of. */

import { useState } from 'react'
import type { Decision } from '../../decisions/use-decision.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Field } from '../../design/field.tsx'

export interface AttendProps {
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onSend: (decision: Decision) => void
}

export function Attend({ isBusy, onClose, onSend }: AttendProps) {
  const [url, setUrl] = useState('')
  const landed = (is: boolean) =>
    onSend({ kind: 'attend', landed: is, url: is && url.trim() !== '' ? url.trim() : null })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Did it land?"
      description="Look at the post on the network. Your answer is kept in the audit log."
      footer={
        <>
          <Button isBusy={isBusy} onClick={() => landed(false)}>
            No, nothing is there
          </Button>
          <Button tone="main" isBusy={isBusy} onClick={() => landed(true)}>
            Yes, it is there
          </Button>
        </>
      }
    >
      <Field label="Address" hint="Where it can be seen, if it is there. It may stay empty.">
        {(control) => (
          <input
            {...control}
            type="url"
            className="input"
            value={url}
            onChange={(event) => setUrl(event.target.value)}
          />
        )}
      </Field>
    </Dialog>
  )
}
