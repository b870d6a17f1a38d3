/** Post: why this state, and did we help? */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { PostDetail } from '../../../../src/server/schema/post.ts'
import { postQuery } from '../../api/queries.ts'
import { GrowthChart } from '../../charts/growth-chart.tsx'
import { StateStrip } from '../../charts/state-strip.tsx'
import { Badge } from '../../design/badge.tsx'
import { Page, Section } from '../../design/page.tsx'
import { Loading, Trouble } from '../../design/situations.tsx'
import { Time } from '../../design/time.tsx'
import { PostCard } from '../../preview/post-card.tsx'
import { useNow } from '../../shell/now.tsx'
import { statusWords } from '../../words/states.ts'
import { ActionList } from './action-list.tsx'
import { Evaluations } from './evaluations.tsx'
import { Measurements } from './measurements.tsx'
import { OwnerControls } from './owner-controls.tsx'
import { WhyThisState } from './why-this-state.tsx'

const route = getRouteApi('/posts/$postId')

export function PostScreen() {
  const { postId } = route.useParams()
  const query = useQuery(postQuery(postId))
  const post = query.data
  return (
    <Page
      title="Post"
      question="Why this state, and did we help?"
      actions={post === undefined ? undefined : <OwnerControls post={post} />}
    >
      {query.isPending ? <Loading rows={10} /> : null}
      {query.error === null ? null : (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
      )}
      {post === undefined ? null : <PostBody post={post} />}
    </Page>
  )
}

function PostBody({ post }: { readonly post: PostDetail }) {
  return (
    <>
      <div className="card overflow-hidden">
        <PostCard
          handle={post.handle}
          platform={post.platform}
          at={post.publishedAt}
          url={post.url}
        >
          {post.text ?? 'The text was erased with its account.'}
        </PostCard>
        <Facts post={post} />
      </div>
      <WhyThisState post={post} />
      <Growth post={post} />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <ActionList actions={post.actions} />
        <Measurements post={post} />
      </div>
      <Evaluations verdicts={post.verdicts} />
    </>
  )
}

function Facts({ post }: { readonly post: PostDetail }) {
  return (
    <p className="card-foot">
      <Badge tone={post.status === 'watched' ? 'accent' : 'plain'}>
        {statusWords[post.status]}
      </Badge>
      {post.neverTouch ? <Badge tone="warn">never touch</Badge> : null}
      {post.arm === null ? null : (
        <Badge isPlain title="Drawn once per post, at random">
          {post.arm === 'holdout' ? 'held out' : 'arm: act'}
        </Badge>
      )}
      {post.nextCheckAt === null ? null : (
        <span>
          next check <Time at={post.nextCheckAt} />
        </span>
      )}
      <span>
        under{' '}
        <Link to="/policy" search={{ id: post.policy }} className="link">
          {post.policy}
        </Link>
      </span>
    </p>
  )
}

function Growth({ post }: { readonly post: PostDetail }) {
  const now = useNow()
  const marks = useMemo(
    () =>
      post.actions
        .filter(({ state, endedAt }) => state === 'success' && endedAt !== null)
        .map(({ action, endedAt, undoes }) => ({
          at: Date.parse(endedAt ?? ''),
          label: undoes === null ? action : `undo ${action}`,
        })),
    [post.actions],
  )
  const from = Date.parse(post.publishedAt)
  const lastLook = Math.max(from, ...post.verdicts.map(({ at }) => Date.parse(at)))
  const to = post.status === 'watched' ? Math.max(now, lastLook) : lastLook
  return (
    <Section title="Growth">
      {post.samples.length === 0 ? (
        <p className="text-ink-soft">
          No sample was taken yet. The first one comes with the next check.
        </p>
      ) : (
        <div className="grid gap-5">
          <GrowthChart
            publishedAt={post.publishedAt}
            samples={post.samples}
            band={post.band}
            marks={marks}
          />
          <StateStrip from={from} to={to} verdicts={post.verdicts} />
        </div>
      )}
    </Section>
  )
}
