/** Owns the filters of the inbox. */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { accountsQuery } from '../../api/queries.ts'
import { Choice } from '../../design/choice.tsx'
import { inboxShows } from '../../shell/search.ts'
import type { InboxShow } from './shows.ts'
import { showTitles } from './shows.ts'

const route = getRouteApi('/inbox')

export interface InboxFiltersProps {
  readonly show: InboxShow
  readonly search: { readonly accountId?: string | undefined; readonly action?: string | undefined }
}

export function InboxFilters({ show, search }: InboxFiltersProps) {
  const navigate = route.useNavigate()
  const accounts = useQuery(accountsQuery)
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, ...change, id: undefined }) })
  return (
    <>
      <Choice
        label="Show"
        value={show}
        options={inboxShows.map((value) => ({ value, title: showTitles[value] }))}
        onChange={(value) => set({ show: value })}
      />
      <Choice
        label="Action"
        value={search.action ?? ''}
        options={[
          { value: '', title: 'Every action' },
          { value: 'comment', title: 'Comments' },
          { value: 'edit', title: 'Edits' },
          { value: 'thread', title: 'Threads' },
        ]}
        onChange={(value) => set({ action: value })}
      />
      <Choice
        label="Account"
        value={search.accountId ?? ''}
        options={[
          { value: '', title: 'Every account' },
          ...(accounts.data ?? []).map(({ id, handle }) => ({ value: id, title: handle })),
        ]}
        onChange={(value) => set({ accountId: value })}
      />
    </>
  )
}
