/** Owns the button that stops everything. It is on every screen. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { pausesQuery } from '../api/queries.ts'
import { Button } from '../design/button.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Field } from '../design/field.tsx'
import { Icon } from '../design/icons.tsx'
import { useKeys } from './keys.ts'
import { usePause, useResume } from './pausing.ts'

const everything = { scope: 'everything', target: '' } as const

export function PauseAll() {
  const [isAsking, setIsAsking] = useState(false)
  const pauses = useQuery(pausesQuery)
  const isPaused = (pauses.data ?? []).some(({ scope }) => scope === 'everything')
  const resume = useResume()
  const toggle = () => (isPaused ? resume.mutate(everything) : setIsAsking(true))
  useKeys({ P: toggle })
  return (
    <>
      <Button
        tone={isPaused ? 'main' : 'danger'}
        onClick={toggle}
        isBusy={resume.isPending}
        aria-keyshortcuts="P"
      >
        <Icon name={isPaused ? 'resume' : 'pause'} />
        <span className="max-sm:sr-only">{isPaused ? 'Resume all' : 'Pause all'}</span>
      </Button>
      {isAsking ? <PauseDialog onClose={() => setIsAsking(false)} /> : null}
    </>
  )
}

function PauseDialog({ onClose }: { readonly onClose: () => void }) {
  const [reason, setReason] = useState('')
  const pause = usePause(onClose)
  const submit = () => pause.mutate({ ...everything, reason })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Pause everything?"
      description="No send begins after this. Posts are still watched, and nothing is lost."
      goOn={
        <Button tone="alarm" isBusy={pause.isPending} onClick={submit}>
          Pause everything
        </Button>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label="Reason" hint="Shown beside every hold, so that others know why.">
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
