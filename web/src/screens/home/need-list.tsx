/** Owns the list of what needs a person. */

import { Link } from '@tanstack/react-router'
import { Time } from '../../design/time.tsx'
import type { Need } from './needs.ts'

export function NeedList({ needs }: { readonly needs: readonly Need[] }) {
  return (
    <ul className="grid gap-2" aria-label="What needs you">
      {needs.map((need) => (
        <li key={need.label} className="note" data-tone={need.tone}>
          <p className="min-w-0 flex-1 basis-60">
            <strong>{need.title}.</strong> <span className="text-ink-soft">{need.detail}</span>
            {need.before === null ? null : (
              <span className="text-ink-soft">
                {' '}
                The first runs out <Time at={need.before} />.
              </span>
            )}
          </p>
          <Link to={need.to} search={need.search} className="button">
            {need.label}
          </Link>
        </li>
      ))}
    </ul>
  )
}
