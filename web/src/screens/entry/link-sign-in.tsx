/** Signing in with a link that a demonstration or the command line printed. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { SessionView, SignInBody } from '../../../../src/server/schema/session.ts'
import { sessionQuery } from '../../api/queries.ts'
import { post } from '../../api/request.ts'
import { Trouble } from '../../design/situations.tsx'
import { EntryFrame } from './entry-frame.tsx'

export function LinkSignIn({ token }: { readonly token: string }) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const signIn = useMutation({
    mutationFn: (body: SignInBody) => post<SessionView>('/session', body),
    onSuccess: (session) => {
      client.setQueryData(sessionQuery.queryKey, session)
      // The token leaves the address and the history with it.
      void navigate({ to: '/', replace: true })
    },
  })
  const { mutate } = signIn
  const used = useRef<string | null>(null)
  useEffect(() => {
    // A link may work only once, and an effect may run twice.
    if (used.current === token) return
    used.current = token
    mutate({ kind: 'link', token })
  }, [mutate, token])
  return (
    <EntryFrame title="Signing in">
      {signIn.error === null ? (
        <p className="text-ink-soft">With the link that was printed where Second Wind runs.</p>
      ) : (
        <>
          <Trouble error={signIn.error} />
          <button
            type="button"
            className="link justify-self-start"
            onClick={() => void navigate({ to: '/', replace: true })}
          >
            Sign in with the password
          </button>
        </>
      )}
    </EntryFrame>
  )
}
