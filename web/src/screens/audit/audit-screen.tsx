/** Audit: what happened, and can the record be trusted? */

import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { auditQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { Page, Section } from '../../design/page.tsx'
import { Empty, Loading, Trouble } from '../../design/situations.tsx'
import { AuditFilters } from './audit-filters.tsx'
import { ChainCheck } from './chain-check.tsx'
import { EventList } from './event-list.tsx'

const route = getRouteApi('/audit')

export function AuditScreen() {
  const search = route.useSearch()
  const query = useInfiniteQuery(auditQuery(search))
  const events = query.data?.pages.flatMap((page) => page.items) ?? []
  const isNarrow = search.postId !== undefined || search.actionId !== undefined
  return (
    <Page
      title="Audit"
      question="What happened, and can the record be trusted?"
      actions={<AuditFilters search={search} />}
    >
      <ChainCheck />
      {isNarrow ? (
        <p className="text-sm text-ink-soft">
          Only events of one {search.actionId === undefined ? 'post' : 'action'}.{' '}
          <Link to="/audit" className="link">
            Show all
          </Link>
        </p>
      ) : null}
      <Section title="Events" isFlush aside="newest first">
        {query.isPending ? <Loading rows={8} /> : null}
        {query.error === null ? null : (
          <Trouble error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.isSuccess && events.length === 0 ? (
          <Empty title="No event matches">
            Everything that is read, decided, sent or changed leaves an event here.
          </Empty>
        ) : null}
        <EventList events={events} />
        {query.hasNextPage ? (
          <div className="border-t border-line p-3 text-center">
            <Button isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
              Show older ones
            </Button>
          </div>
        ) : null}
      </Section>
    </Page>
  )
}
