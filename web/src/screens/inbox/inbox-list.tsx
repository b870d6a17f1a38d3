/** Owns the list of the inbox: enough of each action to choose by. */

import { useEffect, useRef } from 'react'
import type { ActionSummary } from '../../../../src/server/schema/action.ts'
import { StateMark } from '../../design/action-marks.tsx'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { Time } from '../../design/time.tsx'

export interface InboxListProps {
  readonly items: readonly ActionSummary[]
  readonly current: string
  readonly selected: ReadonlySet<string>
  readonly canSelect: boolean
  readonly onOpen: (id: string) => void
  readonly onToggle: (id: string) => void
  /** Fetches what follows, or null on the last page. */
  readonly more: (() => void) | null
}

export function InboxList(props: InboxListProps) {
  const { items, current, selected, canSelect, onOpen, onToggle, more } = props
  return (
    <div className="card max-h-[45dvh] overflow-y-auto lg:sticky lg:top-16 lg:max-h-[80dvh]">
      <ul aria-label="Actions">
        {items.map((item) => (
          <li key={item.id} className="inbox-item" data-current={item.id === current}>
            <Row item={item} isCurrent={item.id === current} onOpen={() => onOpen(item.id)} />
            {canSelect ? (
              <input
                type="checkbox"
                className="mt-3.5 mr-3.5 ml-2 shrink-0"
                aria-label={`Select the ${item.action} for ${item.handle}`}
                checked={selected.has(item.id)}
                onChange={() => onToggle(item.id)}
              />
            ) : null}
          </li>
        ))}
      </ul>
      {more === null ? null : (
        <div className="p-3 text-center">
          <Button size="small" onClick={more}>
            Show more
          </Button>
        </div>
      )}
    </div>
  )
}

interface RowProps {
  readonly item: ActionSummary
  readonly isCurrent: boolean
  readonly onOpen: () => void
}

function Row({ item, isCurrent, onOpen }: RowProps) {
  const element = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isCurrent) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isCurrent])
  return (
    <button
      ref={element}
      type="button"
      aria-current={isCurrent}
      onClick={onOpen}
      className="inbox-row"
    >
      <span className="flex items-center gap-2">
        <Badge tone="accent" isPlain>
          {item.undoes === null ? item.action : `undo ${item.action}`}
        </Badge>
        <span className="truncate text-sm font-medium">{item.handle}</span>
      </span>
      <span className="line-clamp-2 text-sm text-ink-soft">
        {item.segments[0] ?? item.text ?? 'The text was erased with its account.'}
      </span>
      <span className="text-xs text-ink-faint">
        {item.state === 'awaiting_approval' ? (
          <>
            runs out <Time at={item.expiresAt} />
          </>
        ) : (
          <span className="inline-flex items-center gap-2">
            <StateMark state={item.state} />
            <Time at={item.endedAt ?? item.plannedAt} />
          </span>
        )}
      </span>
    </button>
  )
}
