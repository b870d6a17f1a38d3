/** Owns the table of posts. Only the rows in sight exist, so that 100,000 of them are no burden. */

import { useNavigate } from '@tanstack/react-router'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import type { AccountView } from '../../../../src/server/schema/account.ts'
import type { PostSummary } from '../../../../src/server/schema/post.ts'
import { useKeys } from '../../shell/keys.ts'
import { PostRow } from './post-row.tsx'

const rowHeightPx = 62
/** So many rows before the end, what follows is fetched. */
const fetchAhead = 30

export interface PostTableProps {
  readonly posts: readonly PostSummary[]
  readonly accounts: readonly AccountView[]
  readonly hasMore: boolean
  readonly onNearEnd: () => void
}

export function PostTable({ posts, accounts, hasMore, onNearEnd }: PostTableProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: posts.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeightPx,
    overscan: 12,
  })
  const visible = rows.getVirtualItems()
  const lastVisible = visible.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastVisible >= posts.length - fetchAhead) onNearEnd()
  }, [lastVisible, posts.length, onNearEnd])
  const active = useActiveRow(posts, (index) => rows.scrollToIndex(index))
  const handles = new Map(accounts.map(({ id, handle }) => [id, handle]))
  return (
    <div
      role="table"
      aria-label="Posts"
      aria-rowcount={hasMore ? -1 : posts.length + 1}
      className="post-table"
    >
      <Head />
      {/* A region that scrolls must be reachable by keyboard. */}
      <div ref={scroller} role="rowgroup" className="body" tabIndex={0} aria-label="Posts">
        <div
          role="presentation"
          className="relative w-full"
          style={{ height: rows.getTotalSize() }}
        >
          {visible.map(({ index, start }) => {
            const post = posts[index]
            if (post === undefined) return null
            return (
              <PostRow
                key={post.id}
                post={post}
                handle={handles.get(post.accountId) ?? post.accountId}
                index={index}
                topPx={start}
                isActive={index === active}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

function Head() {
  return (
    <div role="rowgroup">
      <div role="row" className="post-grid head" aria-rowindex={1}>
        <span role="columnheader">Post</span>
        <span role="columnheader">Growth</span>
        <span role="columnheader" className="text-right">
          Engagements
        </span>
        <span role="columnheader">Verdict</span>
        <span role="columnheader">Next check</span>
      </div>
    </div>
  )
}

/** The row that the keys have come to, or -1. */
function useActiveRow(posts: readonly PostSummary[], onMove: (index: number) => void): number {
  const [active, setActive] = useState(-1)
  const navigate = useNavigate()
  const move = (distance: number) => {
    const next = Math.min(posts.length - 1, Math.max(0, active + distance))
    setActive(next)
    onMove(next)
  }
  const current = posts[active]
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    Enter:
      current === undefined
        ? undefined
        : () => void navigate({ to: '/posts/$postId', params: { postId: current.id } }),
  })
  return active
}
