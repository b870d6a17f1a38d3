/** Owns the workers that share a ledger: who they are, what they do, and whether they keep up. */

import type { DeliveryStateView, WorkerView } from '../../../../src/server/schema/overview.ts'
import { Badge } from '../../design/badge.tsx'
import { Section } from '../../design/page.tsx'
import { Time } from '../../design/time.tsx'
import { formatCount, plural } from '../../words/numbers.ts'
import { formatDuration } from '../../words/time.ts'
import { wordLag } from './lag.ts'
import type { LagKind } from './lag.ts'

export interface WorkersProps {
  readonly workers: readonly WorkerView[]
  readonly delivery: DeliveryStateView | null
}

/** Nothing where one process does all: there the engine above is the whole story. */
export function Workers({ workers, delivery }: WorkersProps) {
  if (delivery === null && workers.length === 0) return null
  return (
    <Section title="Workers" aside={<Ready delivery={delivery} />} isFlush>
      {delivery === null ? (
        <p className="px-4 pb-3">
          <Badge tone="bad">nobody leads</Badge> No worker has handed out work for a minute. See
          their logs.
        </p>
      ) : (
        <dl className="grid gap-x-8 gap-y-3 px-4 pb-3 sm:grid-cols-2">
          <Lag kind="check" name="Longest due check" lagMs={delivery.checkLagMs} />
          <Lag kind="action" name="Longest due action" lagMs={delivery.actionLagMs} />
        </dl>
      )}
      {workers.length === 0 ? (
        <p className="px-4 pb-4 text-ink-soft">
          No worker was heard of in the last minute. Start one with <code>secondwind worker</code>.
        </p>
      ) : (
        <WorkerTable workers={workers} leader={delivery?.leader ?? null} />
      )}
    </Section>
  )
}

/** Where it stops counting, there are more. */
const mostCounted = 2000

function Ready({ delivery }: { readonly delivery: DeliveryStateView | null }) {
  if (delivery === null) return null
  const isAll = delivery.ready < mostCounted
  return (
    <>
      {isAll ? '' : 'at least '}
      {plural(delivery.ready, 'job')} ready to begin
    </>
  )
}

interface LagProps {
  readonly kind: LagKind
  readonly name: string
  readonly lagMs: number
}

function Lag({ kind, name, lagMs }: LagProps) {
  const { tone, label, meaning } = wordLag(kind, lagMs)
  return (
    <div className="grid content-start gap-0.5">
      <dt className="text-sm text-ink-faint">{name}</dt>
      <dd className="flex flex-wrap items-center gap-x-3 tabular-nums">
        <span className="font-medium">{lagMs < 1000 ? 'none' : formatDuration(lagMs)}</span>
        <Badge tone={tone}>{label}</Badge>
      </dd>
      <dd className="text-sm text-ink-soft">{meaning}</dd>
    </div>
  )
}

interface WorkerTableProps {
  readonly workers: readonly WorkerView[]
  readonly leader: string | null
}

function WorkerTable({ workers, leader }: WorkerTableProps) {
  return (
    <div
      className="overflow-x-auto border-t border-line"
      role="group"
      tabIndex={0}
      aria-label="Workers"
    >
      <table className="table">
        <thead>
          <tr>
            <th scope="col">Host</th>
            <th scope="col">Version</th>
            <th scope="col" data-number="true">
              Busy
            </th>
            <th scope="col" data-number="true">
              Done
            </th>
            <th scope="col" data-number="true">
              Problems
            </th>
            <th scope="col">Started</th>
            <th scope="col">Seen</th>
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => (
            <WorkerRow key={worker.id} worker={worker} isLeader={worker.id === leader} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface WorkerRowProps {
  readonly worker: WorkerView
  readonly isLeader: boolean
}

function WorkerRow({ worker, isLeader }: WorkerRowProps) {
  return (
    <tr>
      <th scope="row" title={worker.id}>
        {worker.host} {isLeader ? <Badge isPlain>leads</Badge> : null}
      </th>
      <td>{worker.version}</td>
      <td data-number="true" className="whitespace-nowrap">
        {formatCount(worker.busy)} of {formatCount(worker.places)}
      </td>
      <td data-number="true">{formatCount(worker.done)}</td>
      <td data-number="true">{formatCount(worker.failed)}</td>
      <td>
        <Time at={worker.startedAt} />
      </td>
      <td>
        <Time at={worker.seenAt} />
      </td>
    </tr>
  )
}
