/** Owns checking what was changed, and storing it as the next version. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import type { PolicyCheck, PolicyDetail, PolicyView } from '../../../../src/server/schema/policy.ts'
import { post } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Section } from '../../design/page.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'
import { nextVersion } from './draft.ts'
import type { Policy } from './draft.ts'

const route = getRouteApi('/policy')

export interface SaveBarProps {
  readonly draft: Policy
  readonly isChanged: boolean
  readonly known: readonly PolicyView[]
  readonly onDiscard: () => void
}

export function SaveBar({ draft, isChanged, known, onDiscard }: SaveBarProps) {
  const client = useQueryClient()
  const navigate = route.useNavigate()
  const policy = { ...draft, version: nextVersion(draft.name, known) }
  const id = `${policy.name}@${policy.version}`
  const checked = useDeferredValue(JSON.stringify(policy))
  const check = useQuery({
    queryKey: ['policy-check', checked],
    queryFn: () =>
      post<PolicyCheck>('/policies/validate', { policy: JSON.parse(checked) as unknown }),
    enabled: isChanged,
  })
  const save = useMutation({
    mutationFn: () => post<PolicyDetail>('/policies', { policy }),
    onSuccess: async (saved) => {
      await client.invalidateQueries({ queryKey: ['policies'], exact: true })
      notify({ title: `Saved as ${saved.id}`, description: 'It is in force for no account yet.' })
      void navigate({ search: (before) => ({ ...before, id: saved.id }) })
    },
    onError: notifyError,
  })
  const problem = isChanged && check.data?.kind === 'invalid' ? check.data : null
  return (
    <Section title="This version">
      <div className="grid gap-3">
        <p className="text-sm text-ink-soft" role="status">
          {isChanged
            ? `Your changes become ${id}. Versions are added and never changed.`
            : 'Change a value to make a new version, and try it on past posts first.'}
        </p>
        {problem === null ? null : (
          <p role="alert" className="note text-sm" data-tone="bad">
            {problem.field} {problem.problem}
          </p>
        )}
        <div className="flex flex-wrap gap-2">
          <Button
            tone="main"
            disabled={!isChanged || problem !== null}
            isBusy={save.isPending}
            onClick={() => save.mutate()}
          >
            Save as {id}
          </Button>
          {isChanged ? <Button onClick={onDiscard}>Discard</Button> : null}
        </div>
      </div>
    </Section>
  )
}
