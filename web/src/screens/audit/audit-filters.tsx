/** Owns the filters of the audit log, and the way to take it along. */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { accountsQuery } from '../../api/queries.ts'
import { apiRoot, toQueryString } from '../../api/request.ts'
import { Choice } from '../../design/choice.tsx'
import type { AuditSearch } from '../../shell/search.ts'
import { wordName } from '../../words/states.ts'

const route = getRouteApi('/audit')

const types: readonly string[] = [
  'verdict',
  'action_planned',
  'action_changed',
  'attempt_begun',
  'attempt_ended',
  'text_revised',
  'arm_assigned',
  'measured',
  'incident',
  'post_tracked',
  'post_closed',
  'never_touch',
  'paused',
  'resumed',
  'account_saved',
  'account_parked',
  'account_erased',
]

export interface AuditFiltersProps {
  readonly search: AuditSearch
}

export function AuditFilters({ search }: AuditFiltersProps) {
  const navigate = route.useNavigate()
  const accounts = useQuery(accountsQuery)
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  const file = toQueryString({ format: 'csv', accountId: search.accountId })
  return (
    <>
      <Choice
        label="Type"
        value={search.type ?? ''}
        options={[
          { value: '', title: 'Every type' },
          ...types.map((type) => ({ value: type, title: wordName(type) })),
        ]}
        onChange={(type) => set({ type })}
      />
      <Choice
        label="Account"
        value={search.accountId ?? ''}
        options={[
          { value: '', title: 'Every account' },
          ...(accounts.data ?? []).map(({ id, handle }) => ({ value: id, title: handle })),
        ]}
        onChange={(accountId) => set({ accountId })}
      />
      <a href={`${apiRoot}/export/events${file}`} download className="button">
        Export CSV
      </a>
    </>
  )
}
