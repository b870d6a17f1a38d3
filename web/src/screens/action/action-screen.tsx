/** Action: what exactly happened? */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { ActionDetail } from '../../../../src/server/schema/action.ts'
import { actionQuery } from '../../api/queries.ts'
import { StateMark } from '../../design/action-marks.tsx'
import { Page, Section } from '../../design/page.tsx'
import { Prose } from '../../design/prose.tsx'
import { Loading, Trouble } from '../../design/situations.tsx'
import { Time } from '../../design/time.tsx'
import { ActionPreview } from '../../preview/action-preview.tsx'
import { GuardList, summariseGuards } from '../../preview/guard-list.tsx'
import { formatScore } from '../../words/numbers.ts'
import { stateWords, tierWords } from '../../words/states.ts'
import { ActionControls } from './action-controls.tsx'
import { Attempts } from './attempts.tsx'
import { Timeline } from './timeline.tsx'

const route = getRouteApi('/actions/$actionId')

export function ActionScreen() {
  const { actionId } = route.useParams()
  const query = useQuery(actionQuery(actionId))
  const action = query.data
  return (
    <Page
      title="Action"
      question="What exactly happened?"
      actions={action === undefined ? undefined : <ActionControls action={action} />}
    >
      {query.isPending ? <Loading rows={10} /> : null}
      {query.error === null ? null : (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
      )}
      {action === undefined ? null : <ActionBody action={action} />}
    </Page>
  )
}

function ActionBody({ action }: { readonly action: ActionDetail }) {
  return (
    <div className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid gap-5">
        <Standing action={action} />
        <ActionPreview action={action} />
        <Section title="Timeline">
          <Timeline entries={action.timeline} />
        </Section>
        <Attempts attempts={action.attemptRows} />
      </div>
      <div className="grid gap-5">
        <Facts action={action} />
        <Section title="Why">
          <p className="text-sm text-ink-soft">
            <Prose text={action.why ?? 'The verdict that planned it is not stored any more.'} />
          </p>
        </Section>
        <Section title="Guards" aside={summariseGuards(action.guards)}>
          <GuardList guards={action.guards} />
        </Section>
      </div>
    </div>
  )
}

function Standing({ action }: { readonly action: ActionDetail }) {
  const { fault, state, dueAt } = action
  return (
    <div className="card grid gap-2 p-4">
      <p className="flex flex-wrap items-center gap-2">
        <StateMark state={state} />
        <span className="text-ink-soft">{stateWords[state].meaning}</span>
        {dueAt === null ? null : (
          <span className="text-sm text-ink-faint">
            next step <Time at={dueAt} />
          </span>
        )}
      </p>
      {fault === null ? null : (
        <p className="text-sm">
          <span className="font-semibold">{fault.code}</span>:{' '}
          <span className="text-ink-soft">
            {fault.detail}{' '}
            {fault.landed === 'no' ? 'Nothing landed.' : 'Nobody knows whether it landed.'}
          </span>
        </p>
      )}
      {action.undoneBy.map(({ id, state: undoState }) => (
        <p key={id} className="text-sm">
          <Link to="/actions/$actionId" params={{ actionId: id }} className="link">
            Its undo
          </Link>{' '}
          <StateMark state={undoState} />
        </p>
      ))}
      {action.undoes === null ? null : (
        <p className="text-sm">
          It takes back{' '}
          <Link to="/actions/$actionId" params={{ actionId: action.undoes }} className="link">
            this action
          </Link>
          .
        </p>
      )}
    </div>
  )
}

function Facts({ action }: { readonly action: ActionDetail }) {
  const facts: readonly (readonly [string, string])[] = [
    ['Account', `${action.handle} on ${action.platform}`],
    ['Tier', tierWords[action.tier]],
    ['Score', formatScore(action.score)],
    ['Policy', action.policy],
    ['Generation', String(action.generation)],
    ['Attempts', String(action.attempts)],
  ]
  return (
    <Section title="Facts">
      <dl className="facts">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-ink-faint">{name}</dt>
            <dd className="[overflow-wrap:anywhere]">{value}</dd>
          </div>
        ))}
        <dt className="text-ink-faint">Key</dt>
        <dd className="font-mono text-xs [overflow-wrap:anywhere]">{action.key}</dd>
        <dt className="text-ink-faint">Post</dt>
        <dd>
          <Link to="/posts/$postId" params={{ postId: action.postId }} className="link">
            its curve and verdicts
          </Link>
        </dd>
        {action.url === null ? null : (
          <>
            <dt className="text-ink-faint">Seen at</dt>
            <dd className="[overflow-wrap:anywhere]">
              <a href={action.url} target="_blank" rel="noreferrer" className="link">
                {action.url}
              </a>
            </dd>
          </>
        )}
        <dt className="text-ink-faint">Log</dt>
        <dd>
          <Link to="/audit" search={{ actionId: action.id }} className="link">
            its events
          </Link>
        </dd>
      </dl>
    </Section>
  )
}
