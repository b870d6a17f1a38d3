/** Signing in with the password. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { SessionView, SignInBody } from '../../../../src/server/schema/session.ts'
import { post } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { wordError } from '../../design/situations.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { PasswordField } from './password-field.tsx'

export function SignIn() {
  const client = useQueryClient()
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: (body: SignInBody) => post<SessionView>('/session', body),
    // What an earlier visitor saw is asked for anew.
    onSuccess: () => client.resetQueries(),
  })
  return (
    <EntryFrame title="Sign in">
      <form
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate({ kind: 'password', password })
        }}
      >
        <PasswordField
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={setPassword}
          problem={signIn.error === null ? null : wordError(signIn.error).detail}
          isFirst
        />
        <Button type="submit" tone="main" isBusy={signIn.isPending} disabled={password === ''}>
          Sign in
        </Button>
      </form>
    </EntryFrame>
  )
}
