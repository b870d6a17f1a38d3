/** Owns the actions of one post. */

import { Link } from '@tanstack/react-router'
import type { ActionView } from '../../../../src/server/schema/action.ts'
import { StateMark } from '../../design/action-marks.tsx'
import { Section } from '../../design/page.tsx'
import { Time } from '../../design/time.tsx'
import { tierWords } from '../../words/states.ts'

export function ActionList({ actions }: { readonly actions: readonly ActionView[] }) {
  return (
    <Section title="Actions">
      {actions.length === 0 ? (
        <p className="text-ink-soft">Nothing was planned for this post.</p>
      ) : (
        <ol className="grid gap-3">
          {actions.toReversed().map((action) => (
            <li key={action.id} className="grid gap-1">
              <span className="flex flex-wrap items-center gap-2">
                <Link to="/actions/$actionId" params={{ actionId: action.id }} className="link">
                  {action.undoes === null ? action.action : `undo of a ${action.action}`}
                </Link>
                <StateMark state={action.state} />
                <span className="text-xs text-ink-faint">
                  {tierWords[action.tier]} · <Time at={action.endedAt ?? action.plannedAt} />
                </span>
              </span>
              <span className="line-clamp-2 text-sm text-ink-soft">{action.text}</span>
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
