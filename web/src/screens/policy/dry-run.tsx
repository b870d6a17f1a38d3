/** Owns trying a policy on past posts. Nothing is sent and nothing is stored. */

import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { DryRunBody, DryRunView } from '../../../../src/server/schema/policy.ts'
import { accountsQuery } from '../../api/queries.ts'
import { post } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Choice } from '../../design/choice.tsx'
import { Section } from '../../design/page.tsx'
import { Trouble } from '../../design/situations.tsx'
import { formatShare, plural } from '../../words/numbers.ts'
import { formatDuration } from '../../words/time.ts'
import type { Policy } from './draft.ts'
import { DryRunChart } from './dry-run-chart.tsx'

const route = getRouteApi('/policy')

export interface DryRunProps {
  readonly draft: Policy
  readonly isChanged: boolean
  /** The stored version that the draft began as. */
  readonly id: string
}

export function DryRun({ draft, isChanged, id }: DryRunProps) {
  const { days = '14', accountId } = route.useSearch()
  const run = useMutation({
    mutationFn: () =>
      post<DryRunView>('/policies/dry-run', {
        policy: isChanged ? (draft as unknown as Record<string, never>) : id,
        days: Number(days),
        ...(accountId === undefined ? {} : { accountId }),
      } satisfies DryRunBody),
  })
  return (
    <Section title="Dry run" aside="nothing is sent">
      <div className="grid gap-3">
        <DryRunFilters days={days} accountId={accountId} />
        <Button isBusy={run.isPending} onClick={() => run.mutate()}>
          {run.isPending ? 'Going through past posts…' : 'Try it on past posts'}
        </Button>
        {run.error === null ? null : <Trouble error={run.error} />}
        {run.data === undefined ? null : <Result view={run.data} />}
      </div>
    </Section>
  )
}

interface DryRunFiltersProps {
  readonly days: string
  readonly accountId: string | undefined
}

function DryRunFilters({ days, accountId }: DryRunFiltersProps) {
  const navigate = route.useNavigate()
  const accounts = useQuery(accountsQuery)
  const set = (change: Readonly<Record<string, string>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <div className="flex flex-wrap gap-2">
      <Choice
        label="How far back"
        value={days}
        options={['7', '14', '30', '90'].map((value) => ({
          value,
          title: `Last ${value} days`,
        }))}
        onChange={(value) => set({ days: value })}
      />
      <Choice
        label="Account"
        value={accountId ?? ''}
        options={[
          { value: '', title: 'Every account' },
          ...(accounts.data ?? []).map(({ id, handle }) => ({ value: id, title: handle })),
        ]}
        onChange={(value) => set({ accountId: value })}
      />
    </div>
  )
}

function Result({ view }: { readonly view: DryRunView }) {
  const { report, inForce, outcomes } = view
  if (report.posts === 0) {
    return <p className="text-ink-soft">There is no post in that time. Take a longer one.</p>
  }
  const acted = outcomes.filter(({ actions }) => actions.length > 0)
  return (
    <div className="grid gap-3" role="status">
      <p>
        <strong>
          It would have acted on {report.actedOn.count} of {plural(report.posts, 'post')}
        </strong>
        {report.actedOn.share === null ? '' : ` (${formatShare(round(report.actedOn.share))})`}
        {report.medianFirstAgeMs === null
          ? '.'
          : `, usually at an age of ${formatDuration(report.medianFirstAgeMs)}.`}
      </p>
      <ul className="grid gap-1 text-sm text-ink-soft">
        <li>{wordShare(report.precision, 'of those had really stalled')}</li>
        <li>{wordShare(report.stagnantReached, 'stalled posts would have been reached')}</li>
        <li>{wordShare(report.healthyBothered, 'healthy posts would have been bothered')}</li>
        {inForce === null ? null : (
          <li>
            The policy in force ({inForce.policy}) would have acted on {inForce.actedOn.count}.
          </li>
        )}
        {view.more ? <li>There were more posts; these are the newest.</li> : null}
      </ul>
      <DryRunChart view={view} />
      {acted.length === 0 ? null : (
        <details className="text-sm">
          <summary className="cursor-pointer text-ink-soft">Which posts</summary>
          <ul className="mt-2 grid max-h-72 gap-2 overflow-y-auto">
            {acted.map(({ postId, text, actions }) => (
              <li key={postId}>
                <Link to="/posts/$postId" params={{ postId }} className="link line-clamp-1">
                  {text ?? postId}
                </Link>
                <span className="text-xs text-ink-faint">
                  {actions
                    .map(({ action, ageMs }) => `${action} at ${formatDuration(ageMs)}`)
                    .join(', ')}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function wordShare({ count, of, share }: DryRunView['report']['precision'], what: string): string {
  if (share === null) return `Nobody can tell how many ${what}.`
  return `${count} of ${of} (${formatShare(round(share))}) ${what}.`
}

function round(share: number): number {
  return Math.round(share * 100) / 100
}
