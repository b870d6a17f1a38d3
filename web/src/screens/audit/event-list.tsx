/** Owns events as lines: when, what, and where it leads. */

import { Link } from '@tanstack/react-router'
import type { EventView } from '../../../../src/server/schema/event.ts'
import { Prose } from '../../design/prose.tsx'
import { Time } from '../../design/time.tsx'

export function EventList({ events }: { readonly events: readonly EventView[] }) {
  if (events.length === 0) return null
  return (
    <ol className="grid divide-y divide-line text-sm">
      {events.map((event) => (
        <li key={event.seq} className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 px-4 py-2">
          <span className="w-20 shrink-0 text-ink-faint">
            <Time at={event.at} />
          </span>
          <span className="min-w-0 flex-1 basis-56 [overflow-wrap:anywhere]">
            <Prose text={event.sentence} />
          </span>
          <EventLinks event={event} />
        </li>
      ))}
    </ol>
  )
}

function EventLinks({ event }: { readonly event: EventView }) {
  const { actionId, postId } = event
  return (
    <span className="flex gap-3 text-xs">
      {actionId === null ? null : (
        <Link to="/actions/$actionId" params={{ actionId }} className="link">
          action
        </Link>
      )}
      {postId === null ? null : (
        <Link to="/posts/$postId" params={{ postId }} className="link">
          post
        </Link>
      )}
    </span>
  )
}
