/** Decides who sees what: set-up, sign-in, or the dashboard. */

import { useQuery } from '@tanstack/react-query'
import { sessionQuery } from '../../api/queries.ts'
import { Trouble } from '../../design/situations.tsx'
import { Shell } from '../../shell/shell.tsx'
import { EntryFrame } from './entry-frame.tsx'
import { readLinkToken } from './link-token.ts'
import { LinkSignIn } from './link-sign-in.tsx'
import { SetUp } from './set-up.tsx'
import { SignIn } from './sign-in.tsx'

export function Door() {
  const session = useQuery(sessionQuery)
  if (session.data === undefined) {
    if (session.error === null) return null
    return (
      <EntryFrame title="Second Wind">
        <Trouble error={session.error} onRetry={() => void session.refetch()} />
      </EntryFrame>
    )
  }
  const { needsSetUp, actor } = session.data
  if (actor !== null) return <Shell session={session.data} />
  const token = readLinkToken(window.location)
  if (needsSetUp) return <SetUp token={token} />
  return token === null ? <SignIn /> : <LinkSignIn token={token} />
}
