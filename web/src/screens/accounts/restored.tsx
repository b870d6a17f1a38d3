/** Owns an account that a restore has paused: matching it with its network, or going on anyway. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountDetail } from '../../../../src/server/schema/account.ts'
import type { PauseView } from '../../../../src/server/schema/pause.ts'
import type { AccountMatch, MatchBody } from '../../../../src/server/schema/restore.ts'
import { pausesQuery } from '../../api/queries.ts'
import { post, problemOfField } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Field } from '../../design/field.tsx'
import { Section } from '../../design/page.tsx'
import { notifyError } from '../../design/toasts.tsx'
import { pauseOfAccount, useResume } from '../../shell/pausing.ts'
import { MatchResult } from './match-result.tsx'

/** Stays for what was found, also when the pause is gone by then. */
export function Restored({ account }: { readonly account: AccountDetail }) {
  const { data: pauses = [] } = useQuery(pausesQuery)
  const match = useMatch(account.id)
  const pause = pauseOfAccount(pauses, account.id)
  const isPaused = pause !== undefined && pause.restore !== null
  if (!isPaused && match.data === undefined) return null
  return (
    <Section title="Restored from a backup">
      <div className="grid gap-4">
        {match.data === undefined ? null : <MatchResult match={match.data} />}
        {isPaused ? <MatchForm pause={pause} match={match} account={account} /> : null}
      </div>
    </Section>
  )
}

function useMatch(id: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: MatchBody) =>
      post<AccountMatch>(`/accounts/${encodeURIComponent(id)}/match`, body),
    onError: notifyError,
    onSettled: () => client.invalidateQueries(),
  })
}

interface MatchFormProps {
  readonly account: AccountDetail
  readonly pause: PauseView
  readonly match: ReturnType<typeof useMatch>
}

function MatchForm({ account, pause, match }: MatchFormProps) {
  const [since, setSince] = useState('')
  const isAskingWhen = pause.restore?.backupAt === null
  const problem = problemOfField(match.error, 'since')
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        match.mutate(isAskingWhen ? { since: new Date(since).toISOString() } : {})
      }}
    >
      <p className="max-w-prose text-ink-soft">
        The backup does not know what went out after it was made. Matching reads the timeline and
        the watched posts, and lifts the pause when all of it was read. It writes nothing on the
        network.
      </p>
      {isAskingWhen ? (
        <Field label="When was the backup made?" hint="In your time." problem={problem}>
          {(control) => (
            <input
              {...control}
              className="input max-w-xs"
              type="datetime-local"
              required
              value={since}
              onChange={(event) => setSince(event.target.value)}
            />
          )}
        </Field>
      ) : null}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="main" isBusy={match.isPending}>
          Match with the network
        </Button>
        <ResumeAnyway handle={account.handle} pause={pause} />
      </div>
    </form>
  )
}

/** For a thread of which only a person can say how far it got. */
function ResumeAnyway({ handle, pause }: { readonly handle: string; readonly pause: PauseView }) {
  const [isAsking, setIsAsking] = useState(false)
  const resume = useResume()
  return (
    <>
      <Button tone="danger" onClick={() => setIsAsking(true)}>
        Resume without it
      </Button>
      <Dialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Resume ${handle} without matching?`}
        description="What was sent after the backup was made may be sent a second time."
        goOn={
          <Button
            tone="alarm"
            isBusy={resume.isPending}
            onClick={() => resume.mutate(pause, { onSettled: () => setIsAsking(false) })}
          >
            Resume
          </Button>
        }
      />
    </>
  )
}
