/** Home: does anything need me? */

import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { OverviewView } from '../../../../src/server/schema/overview.ts'
import { accountsQuery, auditQuery, overviewQuery, systemQuery } from '../../api/queries.ts'
import { Icon } from '../../design/icons.tsx'
import { Page, Section } from '../../design/page.tsx'
import { Empty, Loading, Trouble } from '../../design/situations.tsx'
import { EventList } from '../audit/event-list.tsx'
import { formatCount } from '../../words/numbers.ts'
import { findNeeds } from './needs.ts'
import { NeedList } from './need-list.tsx'

export function HomeScreen() {
  const overview = useQuery(overviewQuery)
  const system = useQuery(systemQuery)
  const accounts = useQuery(accountsQuery)
  if (accounts.data?.length === 0) return <FirstStep />
  return (
    <Page title="Home" question="Does anything need me?">
      {overview.isPending ? <Loading rows={5} /> : null}
      {overview.error === null ? null : (
        <Trouble error={overview.error} onRetry={() => void overview.refetch()} />
      )}
      {overview.data === undefined ? null : (
        <>
          <Answer overview={overview.data} engine={system.data?.engine.state ?? null} />
          <Figures overview={overview.data} />
        </>
      )}
      <Lately />
    </Page>
  )
}

function FirstStep() {
  return (
    <Page title="Home" question="Does anything need me?">
      <div className="card">
        <Empty
          title="Connect your first account"
          action={
            <Link to="/accounts" search={{ connect: 'new' }} className="button" data-tone="main">
              Connect an account
            </Link>
          }
        >
          Second Wind then watches its posts. It begins in mode approve: it asks before anything
          goes out.
        </Empty>
      </div>
    </Page>
  )
}

interface AnswerProps {
  readonly overview: OverviewView
  readonly engine: 'working' | 'stuck' | 'elsewhere' | null
}

function Answer({ overview, engine }: AnswerProps) {
  const needs = findNeeds(overview, engine)
  if (needs.length > 0) return <NeedList needs={needs} />
  return (
    <div className="note" data-tone="good">
      <span className="text-good">
        <Icon name="check" />
      </span>
      <p>
        <strong>Nothing needs you.</strong> <span className="text-ink-soft">All is watched.</span>
      </p>
    </div>
  )
}

function Figures({ overview }: { readonly overview: OverviewView }) {
  const underWay = overview.approved + overview.running + overview.waiting + overview.unknown
  return (
    <ul className="figures" aria-label="In numbers">
      <Figure count={overview.watched} label="posts watched" to="/posts" />
      <Figure
        count={overview.stalled}
        label="of them stalled"
        to="/posts"
        search={{ verdict: 'hold' }}
      />
      <Figure
        count={underWay}
        label="actions under way"
        to="/inbox"
        search={{ show: 'under_way' }}
      />
      <Figure
        count={overview.sentLast24h}
        label="sent in 24 h"
        to="/inbox"
        search={{ show: 'ended' }}
      />
    </ul>
  )
}

interface FigureProps {
  readonly count: number
  readonly label: string
  readonly to: '/posts' | '/inbox'
  readonly search?: Readonly<Record<string, string>>
}

function Figure({ count, label, to, search = {} }: FigureProps) {
  return (
    <li>
      <Link to={to} search={search} className="figure">
        <span className="text-2xl font-semibold tracking-tight tabular-nums">
          {formatCount(count)}
        </span>
        <span className="text-sm text-ink-soft">{label}</span>
      </Link>
    </li>
  )
}

const lately = {
  type: ['action_planned', 'action_changed', 'account_parked', 'incident', 'paused', 'resumed'],
}
const mostShown = 8

function Lately() {
  const events = useInfiniteQuery(auditQuery(lately))
  const items = events.data?.pages[0]?.items.slice(0, mostShown) ?? []
  return (
    <Section
      title="Lately"
      isFlush
      aside={
        <Link to="/audit" className="link">
          Everything that happened
        </Link>
      }
    >
      {events.isPending ? <Loading rows={4} /> : null}
      {events.error === null ? null : (
        <Trouble error={events.error} onRetry={() => void events.refetch()} />
      )}
      {events.isSuccess && items.length === 0 ? (
        <Empty title="Nothing was done yet">What is planned and sent appears here.</Empty>
      ) : null}
      <EventList events={items} />
    </Section>
  )
}
