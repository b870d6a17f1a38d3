/** Owns the notes that something is paused: by whom, why, until when, and how to resume it. */

import { useQuery } from '@tanstack/react-query'
import type { PauseView } from '../../../src/server/schema/pause.ts'
import { accountsQuery, pausesQuery } from '../api/queries.ts'
import { Button } from '../design/button.tsx'
import { Time } from '../design/time.tsx'
import { useResume } from './pausing.ts'

export function PauseNote() {
  const { data: pauses = [] } = useQuery(pausesQuery)
  if (pauses.length === 0) return null
  return (
    <ul
      className="mx-auto grid w-full max-w-6xl gap-2 px-4 pt-4 sm:px-6"
      aria-label="Pauses in force"
    >
      {pauses.map((pause) => (
        <li key={`${pause.scope} ${pause.target}`} className="note" data-tone="warn">
          <OnePause pause={pause} />
        </li>
      ))}
    </ul>
  )
}

function OnePause({ pause }: { readonly pause: PauseView }) {
  const { since, until, reason, by } = pause
  const accounts = useQuery(accountsQuery)
  const resume = useResume()
  const name =
    pause.scope === 'everything'
      ? 'Everything'
      : (accounts.data?.find(({ id }) => id === pause.target)?.handle ?? pause.target)
  return (
    <>
      <p className="min-w-0 flex-1 basis-60">
        <strong>{name} is paused</strong> by {by}, <Time at={since} />
        {reason === '' ? '' : `: ${reason}`}.{' '}
        {until === null ? (
          'It stays so until someone resumes it.'
        ) : (
          <>
            It ends by itself <Time at={until} />.
          </>
        )}
      </p>
      <Button
        size="small"
        isBusy={resume.isPending}
        aria-label={`Resume ${name}`}
        onClick={() => resume.mutate(pause)}
      >
        Resume
      </Button>
    </>
  )
}
