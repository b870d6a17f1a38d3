/** Owns one row of the table: the post, how it grows, and what was decided last. */

import { Link } from '@tanstack/react-router'
import { memo } from 'react'
import type { PostSummary } from '../../../../src/server/schema/post.ts'
import { Sparkline } from '../../charts/sparkline.tsx'
import { VerdictMark } from '../../design/action-marks.tsx'
import { Badge } from '../../design/badge.tsx'
import { Time } from '../../design/time.tsx'
import { formatCount } from '../../words/numbers.ts'
import { stateWords, statusWords, wordName } from '../../words/states.ts'

export interface PostRowProps {
  readonly post: PostSummary
  readonly handle: string
  readonly index: number
  readonly topPx: number
  readonly isActive: boolean
}

export const PostRow = memo(function PostRow(props: PostRowProps) {
  const { post, handle, index, topPx, isActive } = props
  return (
    <div
      role="row"
      className="post-grid row"
      aria-rowindex={index + 2}
      data-active={isActive}
      style={{ transform: `translateY(${topPx}px)` }}
    >
      <span role="cell" className="min-w-0">
        <Link to="/posts/$postId" params={{ postId: post.id }} className="title">
          {post.text ?? 'The text was erased with its account.'}
        </Link>
        <span className="block truncate text-xs text-ink-faint">
          {handle} · <Time at={post.publishedAt} />
        </span>
      </span>
      <span role="cell">
        <Sparkline points={post.sparkline} tone={toneOf(post)} />
      </span>
      <span role="cell" className="text-right tabular-nums">
        {post.newestSample === null ? '–' : formatCount(post.newestSample.engagements)}
      </span>
      <span role="cell" className="min-w-0">
        <Standing post={post} />
      </span>
      <span role="cell" className="text-sm text-ink-soft">
        {post.nextCheckAt === null ? statusWords[post.status] : <Time at={post.nextCheckAt} />}
      </span>
    </div>
  )
})

function toneOf({ latest }: PostSummary): 'good' | 'warn' | 'plain' {
  if (latest === null || latest.kind === 'insufficient') return 'plain'
  return latest.kind === 'healthy' ? 'good' : 'warn'
}

function Standing({ post }: { readonly post: PostSummary }) {
  const { latest, action, neverTouch } = post
  return (
    <span className="grid justify-items-start gap-0.5">
      <span className="flex gap-1">
        {latest === null ? <Badge>not looked at yet</Badge> : <VerdictMark kind={latest.kind} />}
        {neverTouch ? <Badge isPlain>never touch</Badge> : null}
      </span>
      <span className="max-w-full truncate text-xs text-ink-faint">
        {action !== null && action.state !== 'cancelled'
          ? `${action.action}: ${stateWords[action.state].label}`
          : wordName(latest?.reason ?? '')}
      </span>
    </span>
  )
}
