/** Policy: what will it do? */

import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import type { PolicyDetail, PolicyView } from '../../../../src/server/schema/policy.ts'
import { accountsQuery, policiesQuery, policyQuery } from '../../api/queries.ts'
import { Choice } from '../../design/choice.tsx'
import { Page } from '../../design/page.tsx'
import { Empty, Loading, Trouble } from '../../design/situations.tsx'
import { DryRun } from './dry-run.tsx'
import { InForce } from './in-force.tsx'
import { PolicyForm } from './policy-form.tsx'
import { SaveBar } from './save-bar.tsx'

const route = getRouteApi('/policy')

export function PolicyScreen() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const policies = useQuery(policiesQuery)
  const accounts = useQuery(accountsQuery)
  const id = search.id ?? accounts.data?.[0]?.policy ?? policies.data?.[0]?.id
  return (
    <Page
      title="Policy"
      question="What will it do?"
      actions={
        <Choice
          label="Policy"
          value={id ?? ''}
          options={(policies.data ?? []).map((policy) => ({ value: policy.id, title: policy.id }))}
          onChange={(value) => void navigate({ search: (before) => ({ ...before, id: value }) })}
        />
      }
    >
      {policies.isPending || accounts.isPending ? <Loading rows={8} /> : null}
      {policies.error === null ? null : (
        <Trouble error={policies.error} onRetry={() => void policies.refetch()} />
      )}
      {policies.data?.length === 0 ? (
        <div className="card">
          <Empty title="No policy is stored">Connect an account; it brings the standard one.</Empty>
        </div>
      ) : null}
      {id === undefined || policies.data === undefined ? null : (
        <OnePolicy key={id} id={id} known={policies.data} />
      )}
    </Page>
  )
}

interface OnePolicyProps {
  readonly id: string
  readonly known: readonly PolicyView[]
}

function OnePolicy({ id, known }: OnePolicyProps) {
  const query = useQuery(policyQuery(id))
  if (query.error !== null) {
    return <Trouble error={query.error} onRetry={() => void query.refetch()} />
  }
  if (query.data === undefined) return <Loading rows={8} />
  return <Editor detail={query.data} known={known} />
}

interface EditorProps {
  readonly detail: PolicyDetail
  readonly known: readonly PolicyView[]
}

function Editor({ detail, known }: EditorProps) {
  const original = detail.policy
  const [draft, setDraft] = useState(original)
  const isChanged = JSON.stringify(draft) !== JSON.stringify(original)
  return (
    <div className="grid items-start gap-5 xl:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="grid min-w-0 gap-5">
        <InForce detail={detail} />
        <PolicyForm original={original} draft={draft} onChange={setDraft} />
      </div>
      <div className="grid min-w-0 gap-5 xl:sticky xl:top-16">
        <SaveBar
          draft={draft}
          isChanged={isChanged}
          known={known}
          onDiscard={() => setDraft(original)}
        />
        <DryRun draft={draft} isChanged={isChanged} id={detail.id} />
      </div>
    </div>
  )
}
