/** Impact: is it worth it? */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { GroupLiftView, LiftView } from '../../../../src/server/schema/lift.ts'
import { accountsQuery, liftQuery } from '../../api/queries.ts'
import { Choice } from '../../design/choice.tsx'
import { Page, Section } from '../../design/page.tsx'
import { Empty, Loading, Trouble } from '../../design/situations.tsx'
import { LiftTable } from './lift-table.tsx'
import { VerdictOnLift } from './verdict-on-lift.tsx'

const route = getRouteApi('/impact')

export function ImpactScreen() {
  const { horizon = '24h', accountId } = route.useSearch()
  const lift = useQuery(liftQuery({ horizon, accountId }))
  return (
    <Page title="Impact" question="Is it worth it?" actions={<Filters />}>
      {lift.isPending ? <Loading rows={6} /> : null}
      {lift.error === null ? null : (
        <Trouble error={lift.error} onRetry={() => void lift.refetch()} />
      )}
      {lift.data === undefined ? null : <Findings lift={lift.data} />}
    </Page>
  )
}

function Filters() {
  const { horizon = '24h', accountId } = route.useSearch()
  const navigate = route.useNavigate()
  const accounts = useQuery(accountsQuery)
  const set = (change: Readonly<Record<string, string | undefined>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
  return (
    <>
      <Choice
        label="Measured after"
        value={horizon}
        options={[
          { value: '2h', title: 'After 2 hours' },
          { value: '24h', title: 'After 24 hours' },
          { value: '7d', title: 'After 7 days' },
        ]}
        onChange={(value) => set({ horizon: value })}
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
    </>
  )
}

function Findings({ lift }: { readonly lift: LiftView }) {
  const accounts = useQuery(accountsQuery)
  const handles = new Map((accounts.data ?? []).map(({ id, handle }) => [id, handle]))
  const byAccount = lift.byAccount.map((group): GroupLiftView =>
    Object.assign({}, group, { name: handles.get(group.name) ?? group.name }),
  )
  const isEmpty = (lift.pooled.lift?.posts ?? 0) === 0 && lift.byAction.length === 0
  return (
    <>
      <VerdictOnLift pooled={lift.pooled} />
      {isEmpty ? (
        <div className="card">
          <Empty title="Nothing was measured yet">
            A post is measured once it was due for an action: 2 hours, 24 hours and 7 days later,
            whether it was acted on or held out.
          </Empty>
        </div>
      ) : (
        <>
          <LiftTable noun="Action" groups={lift.byAction} />
          <LiftTable noun="Tier" groups={lift.byTier} />
          <LiftTable noun="Account" groups={byAccount} />
        </>
      )}
      {lift.hints.length === 0 ? null : (
        <Section title="What it suggests">
          <ul className="grid list-disc gap-1 pl-5 text-ink-soft">
            {lift.hints.map((hint) => (
              <li key={hint}>{hint}</li>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
