/** Owns the way around: the screens, in the order of how often someone needs them. */

import { Link } from '@tanstack/react-router'
import type { OverviewView } from '../../../src/server/schema/overview.ts'
import { Icon } from '../design/icons.tsx'
import type { IconName } from '../design/icons.tsx'

export interface Place {
  readonly to:
    | '/'
    | '/inbox'
    | '/posts'
    | '/impact'
    | '/accounts'
    | '/policy'
    | '/system'
    | '/audit'
  readonly title: string
  readonly icon: IconName
  /** The sequence that leads there. */
  readonly keys: string
}

export const places: readonly Place[] = [
  { to: '/', title: 'Home', icon: 'home', keys: 'g h' },
  { to: '/inbox', title: 'Inbox', icon: 'inbox', keys: 'g i' },
  { to: '/posts', title: 'Posts', icon: 'posts', keys: 'g p' },
  { to: '/impact', title: 'Impact', icon: 'impact', keys: 'g m' },
  { to: '/accounts', title: 'Accounts', icon: 'accounts', keys: 'g a' },
  { to: '/policy', title: 'Policy', icon: 'policy', keys: 'g y' },
  { to: '/system', title: 'System', icon: 'system', keys: 'g s' },
  { to: '/audit', title: 'Audit', icon: 'audit', keys: 'g l' },
]

export interface NavigationProps {
  readonly overview: OverviewView | undefined
  readonly onFollow: () => void
}

export function Navigation({ overview, onFollow }: NavigationProps) {
  const waiting = (overview?.awaitingApproval ?? 0) + (overview?.needsAttention ?? 0)
  return (
    <nav aria-label="Screens" className="grid gap-0.5">
      {places.map(({ to, title, icon }) => (
        <Link
          key={to}
          to={to}
          className="place"
          activeOptions={{ exact: to === '/', includeSearch: false }}
          onClick={onFollow}
        >
          <Icon name={icon} />
          <span className="flex-1">{title}</span>
          {to === '/inbox' && waiting > 0 ? (
            <span className="count" aria-label={`${waiting} need you`}>
              {waiting}
            </span>
          ) : null}
        </Link>
      ))}
    </nav>
  )
}
