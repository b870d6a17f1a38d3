/** The first visit: someone with the printed link chooses the password. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { SessionView, SetUpBody } from '../../../../src/server/schema/session.ts'
import { sessionQuery } from '../../api/queries.ts'
import { post, problemOfField } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Trouble } from '../../design/situations.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { PasswordField } from './password-field.tsx'

const shortestPassword = 12

export function SetUp({ token }: { readonly token: string | null }) {
  if (token === null) {
    return (
      <EntryFrame title="Open the set-up link">
        <p className="text-ink-soft">
          Nobody has set a password yet. Second Wind printed a link when it first started: open it
          in this browser. It works once.
        </p>
      </EntryFrame>
    )
  }
  return <SetUpForm token={token} />
}

function SetUpForm({ token }: { readonly token: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const setUp = useMutation({
    mutationFn: (body: SetUpBody) => post<SessionView>('/setup', body),
    onSuccess: (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      // The token leaves the address and the history with it.
      void navigate({ to: '/', replace: true })
    },
  })
  const isShort = password.length < shortestPassword
  const differs = again !== '' && again !== password
  return (
    <EntryFrame title="Choose a password">
      <p className="text-ink-soft">
        It opens this dashboard. Everything stays on the computer that runs Second Wind.
      </p>
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isShort && again === password) setUp.mutate({ token, password })
        }}
      >
        <PasswordField
          label="Password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          hint={`At least ${shortestPassword} characters.`}
          problem={problemOfField(setUp.error, 'password')}
          isFirst
        />
        <PasswordField
          label="The same again"
          autoComplete="new-password"
          value={again}
          onChange={setAgain}
          problem={differs ? 'The two differ.' : null}
        />
        <Button
          type="submit"
          tone="main"
          isBusy={setUp.isPending}
          disabled={isShort || again !== password}
        >
          Set the password and go on
        </Button>
        {setUp.error === null ? null : <Trouble error={setUp.error} />}
      </form>
    </EntryFrame>
  )
}
