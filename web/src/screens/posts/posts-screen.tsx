/** Posts: which stall? */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { accountsQuery, postsQuery } from '../../api/queries.ts'
import { Button } from '../../design/button.tsx'
import { Page } from '../../design/page.tsx'
import { Empty, Loading, Trouble } from '../../design/situations.tsx'
import { PostFilters } from './post-filters.tsx'
import { PostTable } from './post-table.tsx'

const route = getRouteApi('/posts')

export function PostsScreen() {
  const search = route.useSearch()
  const { status = 'watched', verdict, accountId, text } = search
  const query = useInfiniteQuery(
    postsQuery({ status: status === 'any' ? undefined : status, verdict, accountId, text }),
  )
  const accounts = useQuery(accountsQuery)
  const posts = query.data?.pages.flatMap((page) => page.items) ?? []
  const isFiltered = verdict !== undefined || accountId !== undefined || text !== undefined
  return (
    <Page title="Posts" question="Which stall?" actions={<PostFilters search={search} />}>
      <div className="card overflow-hidden">
        {query.isPending ? <Loading rows={8} /> : null}
        {query.error === null ? null : (
          <Trouble error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.isSuccess && posts.length === 0 ? (
          <NoPosts isFiltered={isFiltered} hasAccounts={(accounts.data?.length ?? 1) > 0} />
        ) : null}
        {posts.length === 0 ? null : (
          <>
            <PostTable
              posts={posts}
              accounts={accounts.data ?? []}
              hasMore={query.hasNextPage}
              onNearEnd={() => {
                if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
              }}
            />
            {query.isStale && !query.isFetching ? (
              <div className="border-t border-line p-2 text-center text-sm text-ink-soft">
                This long list is not kept up to date by itself.{' '}
                <Button size="small" onClick={() => void query.refetch()}>
                  Read it again
                </Button>
              </div>
            ) : null}
          </>
        )}
      </div>
    </Page>
  )
}

interface NoPostsProps {
  readonly isFiltered: boolean
  readonly hasAccounts: boolean
}

function NoPosts({ isFiltered, hasAccounts }: NoPostsProps) {
  if (isFiltered) {
    return (
      <Empty
        title="No post matches"
        action={
          <Link to="/posts" search={{ status: 'any' }} className="button">
            Show every post
          </Link>
        }
      >
        Take a filter away, or search for another word.
      </Empty>
    )
  }
  if (!hasAccounts) {
    return (
      <Empty
        title="No account is connected yet"
        action={
          <Link to="/accounts" search={{ connect: 'new' }} className="button" data-tone="main">
            Connect an account
          </Link>
        }
      >
        Posts appear here once an account is connected. It begins in mode approve: nothing goes out
        unasked.
      </Empty>
    )
  }
  return (
    <Empty
      title="No post is being watched"
      action={
        <Link to="/posts" search={{ status: 'closed' }} className="button">
          Show closed posts
        </Link>
      }
    >
      A post appears here soon after it is published, and is watched for three days.
    </Empty>
  )
}
