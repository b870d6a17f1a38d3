/** Owns changing a text before it goes out. */

import { useState } from 'react'
import type { ActionSummary } from '../../../src/server/schema/action.ts'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Field } from '../design/field.tsx'
import { plural } from '../words/numbers.ts'

/** As people count them: an emoji is one. */
const segmenter = new Intl.Segmenter()

export interface EditTextProps {
  readonly action: ActionSummary
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onSave: (text: string) => void
  readonly onApprove: (text: string) => void
}

export function EditText({ action, isBusy, onClose, onSave, onApprove }: EditTextProps) {
  const [text, setText] = useState(action.text ?? '')
  const hint =
    action.action === 'thread'
      ? 'A line of three hyphens stands between two posts of the thread.'
      : `${plural(Array.from(segmenter.segment(text)).length, 'character')}.`
  const isSame = text === action.text || text.trim() === ''
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title="Edit the text"
      description="What is approved is exactly what stands here."
      goOn={
        <>
          <Button disabled={isSame} isBusy={isBusy} onClick={() => onSave(text)}>
            Save, decide later
          </Button>
          <Button
            tone="main"
            disabled={text.trim() === ''}
            isBusy={isBusy}
            onClick={() => onApprove(text)}
          >
            Approve this text
          </Button>
        </>
      }
    >
      <Field label="Text" hint={hint}>
        {(control) => (
          <textarea
            {...control}
            className="input min-h-44 resize-y"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              const isSend = event.key === 'Enter' && (event.metaKey || event.ctrlKey)
              if (isSend && text.trim() !== '' && !isBusy) onApprove(text)
            }}
          />
        )}
      </Field>
    </Dialog>
  )
}
