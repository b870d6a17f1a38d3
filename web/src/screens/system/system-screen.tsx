/** System: is it running? */

import { useQuery } from '@tanstack/react-query'
import type { SystemView } from '../../../../src/server/schema/overview.ts'
import { systemQuery } from '../../api/queries.ts'
import { Badge } from '../../design/badge.tsx'
import type { Tone } from '../../design/badge.tsx'
import { Page, Section } from '../../design/page.tsx'
import { Loading, Trouble } from '../../design/situations.tsx'
import { ExactTime, Time } from '../../design/time.tsx'
import { plural } from '../../words/numbers.ts'
import { formatDuration } from '../../words/time.ts'
import { Exports } from './exports.tsx'
import { Password } from './password.tsx'
import { Tokens } from './tokens.tsx'
import { Webhooks } from './webhooks.tsx'
import { Workers } from './workers.tsx'

export function SystemScreen() {
  const query = useQuery(systemQuery)
  return (
    <Page title="System" question="Is it running?">
      {query.isPending ? <Loading rows={6} /> : null}
      {query.error === null ? null : (
        <Trouble error={query.error} onRetry={() => void query.refetch()} />
      )}
      {query.data === undefined ? null : (
        <>
          <Engine engine={query.data.engine} />
          <Workers workers={query.data.workers} delivery={query.data.delivery} />
          <Facts system={query.data} />
        </>
      )}
      <Tokens />
      <Webhooks />
      <div className="grid items-start gap-5 lg:grid-cols-2">
        <Exports />
        <Password />
      </div>
    </Page>
  )
}

type EngineView = SystemView['engine']

const marks: Readonly<Record<EngineView['state'], readonly [string, Tone, string]>> = {
  working: ['working', 'good', 'What is due is being done.'],
  stuck: ['stuck', 'bad', 'What is due is not being done. See below, and the log.'],
  elsewhere: ['elsewhere', 'accent', 'Another process does the work; this one only answers.'],
}

function Engine({ engine }: { readonly engine: EngineView }) {
  const [label, tone, meaning] = marks[engine.state]
  return (
    <Section title="Engine">
      <div className="grid gap-3">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={tone}>{label}</Badge>
          <span>{meaning}</span>
          {engine.lastTurnAt === null ? null : (
            <span className="text-sm text-ink-faint">
              last turn <Time at={engine.lastTurnAt} />
            </span>
          )}
          {engine.nextDueAt === null ? null : (
            <span className="text-sm text-ink-faint">
              next work <Time at={engine.nextDueAt} />
            </span>
          )}
          {engine.overdueMs > 0 ? (
            <span className="text-sm text-ink-faint">
              longest due for {formatDuration(engine.overdueMs)}
            </span>
          ) : null}
        </p>
        <Problems problems={engine.problems} />
      </div>
    </Section>
  )
}

function Problems({ problems }: { readonly problems: EngineView['problems'] }) {
  if (problems.length === 0) return <p className="text-sm text-ink-soft">No problem lately.</p>
  return (
    <ol className="grid gap-1 text-sm">
      {problems.map(({ at, work, id, message }, index) => (
        <li key={index} className="flex flex-wrap gap-x-3">
          <span className="w-20 text-ink-faint">
            <Time at={at} />
          </span>
          <span className="font-medium">{work}</span>
          <span className="text-ink-faint">{id}</span>
          <span className="basis-full text-ink-soft [overflow-wrap:anywhere] sm:basis-auto">
            {message}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Facts({ system }: { readonly system: SystemView }) {
  return (
    <Section title="This process">
      <dl className="facts">
        <dt className="text-ink-faint">Version</dt>
        <dd>{system.version}</dd>
        <dt className="text-ink-faint">Mode</dt>
        <dd>{system.mode}</dd>
        <dt className="text-ink-faint">Ledger</dt>
        <dd>{system.ledger}</dd>
        <dt className="text-ink-faint">Started</dt>
        <dd>
          <ExactTime at={system.startedAt} />
        </dd>
        <dt className="text-ink-faint">Ledger’s time</dt>
        <dd>
          <ExactTime at={system.now} />
        </dd>
        <dt className="text-ink-faint">Open streams</dt>
        <dd>{plural(system.streams, 'stream')}</dd>
      </dl>
    </Section>
  )
}
