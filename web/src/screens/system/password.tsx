/** Owns changing the password. All other sessions end with it. */

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { PasswordBody } from '../../../../src/server/schema/session.ts'
import { problemOfField, put } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Section } from '../../design/page.tsx'
import { wordError } from '../../design/situations.tsx'
import { notify } from '../../design/toasts.tsx'
import { PasswordField } from '../entry/password-field.tsx'

export function Password() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const change = useMutation({
    mutationFn: () => put<undefined>('/session/password', { current, next } satisfies PasswordBody),
    onSuccess: () => {
      setCurrent('')
      setNext('')
      notify({ title: 'The password was changed', description: 'All other sessions have ended.' })
    },
  })
  return (
    <Section title="Password">
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <PasswordField
          label="The present one"
          autoComplete="current-password"
          value={current}
          onChange={setCurrent}
          problem={problemOf(change.error)}
        />
        <PasswordField
          label="The new one"
          autoComplete="new-password"
          value={next}
          onChange={setNext}
          hint="At least 12 characters. All other sessions end."
          problem={problemOfField(change.error, 'next')}
        />
        <Button type="submit" className="justify-self-start" isBusy={change.isPending}>
          Change the password
        </Button>
      </form>
    </Section>
  )
}

function problemOf(error: Error | null): string | null {
  if (error === null) return null
  return problemOfField(error, 'next') === null ? wordError(error).detail : null
}
