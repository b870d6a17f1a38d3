/** Owns the notes that something is paused: by whom, why, until when, and how to resume it. */

import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { PauseView } from '../../../src/server/schema/pause.ts'
import { accountsQuery, pausesQuery } from '../api/queries.ts'
import { Button } from '../design/button.tsx'
import { Time } from '../design/time.tsx'
import { plural } from '../words/numbers.ts'
import { useResume } from './pausing.ts'

export function PauseNote() {
  const { data: pauses = [] } = useQuery(pausesQuery)
  const restored = pauses.filter(({ restore }) => restore !== null)
  // After a restore every account is paused; more than one of them are said in one breath.
  const shown = restored.length > 1 ? pauses.filter(({ restore }) => restore === null) : pauses
  if (pauses.length === 0) return null
  return (
    <ul
      className="mx-auto grid w-full max-w-6xl gap-2 px-4 pt-4 sm:px-6"
      aria-label="Pauses in force"
    >
      {restored.length > 1 ? (
        <li className="note" data-tone="warn">
          <ManyRestored pauses={restored} />
        </li>
      ) : null}
      {shown.map((pause) => (
        <li key={`${pause.scope} ${pause.target}`} className="note" data-tone="warn">
          <OnePause pause={pause} />
        </li>
      ))}
    </ul>
  )
}

function ManyRestored({ pauses }: { readonly pauses: readonly PauseView[] }) {
  return (
    <>
      <p className="min-w-0 flex-1 basis-60">
        <strong>{plural(pauses.length, 'account')} are paused</strong>: restored from a backup. Each
        stays so until it is matched with its network.
      </p>
      <Link to="/accounts" search={{ id: pauses[0]?.target }} className="button" data-size="small">
        Match them
      </Link>
    </>
  )
}

function OnePause({ pause }: { readonly pause: PauseView }) {
  const { since, until, reason, by } = pause
  const accounts = useQuery(accountsQuery)
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
          `It stays so until ${pause.restore === null ? 'someone resumes it' : 'it is matched'}.`
        ) : (
          <>
            It ends by itself <Time at={until} />.
          </>
        )}
      </p>
      <WayOut pause={pause} name={name} />
    </>
  )
}

interface WayOutProps {
  readonly pause: PauseView
  readonly name: string
}

/** What a restore has paused is matched with its network first. */
function WayOut({ pause, name }: WayOutProps) {
  const resume = useResume()
  if (pause.restore !== null) {
    return (
      <Link to="/accounts" search={{ id: pause.target }} className="button" data-size="small">
        Match {name} with its network
      </Link>
    )
  }
  return (
    <Button
      size="small"
      isBusy={resume.isPending}
      aria-label={`Resume ${name}`}
      onClick={() => resume.mutate(pause)}
    >
      Resume
    </Button>
  )
}
