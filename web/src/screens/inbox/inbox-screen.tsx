/** Inbox: may this go out? */

import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { ActionSummary } from '../../../../src/server/schema/action.ts'
import { actionsQuery } from '../../api/queries.ts'
import { Page } from '../../design/page.tsx'
import { Empty, Loading, Trouble } from '../../design/situations.tsx'
import { useKeys } from '../../shell/keys.ts'
import { BulkBar } from './bulk-bar.tsx'
import { Decider } from './decider.tsx'
import { InboxFilters } from './inbox-filters.tsx'
import { InboxList } from './inbox-list.tsx'
import { emptyWords, statesOf } from './shows.ts'

const route = getRouteApi('/inbox')
const none: ReadonlySet<string> = new Set()

export function InboxScreen() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const show = search.show ?? 'awaiting'
  const query = useInfiniteQuery(
    actionsQuery({ state: statesOf[show], accountId: search.accountId, action: search.action }),
  )
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const [selected, setSelected] = useState(none)
  const open = (id: string | undefined) =>
    void navigate({ search: (before) => ({ ...before, id }), replace: true })
  const current = items.find(({ id }) => id === search.id) ?? items[0]
  const toggle = (id: string) => setSelected((before) => withToggled(before, id))
  useInboxKeys({ items, current, open, toggle })
  return (
    <Page
      title="Inbox"
      question="May this go out?"
      actions={<InboxFilters search={search} show={show} />}
    >
      {query.isPending ? <Loading rows={6} /> : null}
      {query.error === null ? null : (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.isSuccess && items.length === 0 ? (
        <div className="card">
          <Empty title={emptyWords[show].title}>{emptyWords[show].next}</Empty>
        </div>
      ) : null}
      {show === 'awaiting' && items.length > 1 ? (
        <BulkBar
          items={items}
          selected={selected}
          filter={{ accountId: search.accountId, action: search.action }}
          onDone={() => setSelected(none)}
        />
      ) : null}
      {current === undefined ? null : (
        <div className="grid items-start gap-4 lg:grid-cols-[21rem_minmax(0,1fr)]">
          <InboxList
            items={items}
            current={current.id}
            selected={selected}
            canSelect={show === 'awaiting'}
            onOpen={open}
            onToggle={toggle}
            more={query.hasNextPage ? () => void query.fetchNextPage() : null}
          />
          <Decider
            key={`${current.id} ${current.textHash}`}
            action={current}
            onDone={() => open(neighbour(items, current, 1)?.id)}
          />
        </div>
      )}
    </Page>
  )
}

interface InboxKeys {
  readonly items: readonly ActionSummary[]
  readonly current: ActionSummary | undefined
  readonly open: (id: string | undefined) => void
  readonly toggle: (id: string) => void
}

function useInboxKeys({ items, current, open, toggle }: InboxKeys): void {
  const step = (distance: number) => {
    if (current === undefined) return
    const next = neighbour(items, current, distance)
    if (next !== undefined) open(next.id)
  }
  useKeys({
    j: () => step(1),
    k: () => step(-1),
    x: current === undefined ? undefined : () => toggle(current.id),
  })
}

function neighbour(
  items: readonly ActionSummary[],
  current: ActionSummary,
  distance: number,
): ActionSummary | undefined {
  const index = items.findIndex(({ id }) => id === current.id)
  return items[index + distance]
}

function withToggled(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before)
  if (!after.delete(id)) after.add(id)
  return after
}
