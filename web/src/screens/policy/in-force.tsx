/** Owns which accounts have a policy in force, and putting it in force for another. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { AccountDetail } from '../../../../src/server/schema/account.ts'
import type { PolicyDetail } from '../../../../src/server/schema/policy.ts'
import { accountsQuery } from '../../api/queries.ts'
import { patch } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'

export function InForce({ detail }: { readonly detail: PolicyDetail }) {
  const client = useQueryClient()
  const accounts = useQuery(accountsQuery)
  const active = (accounts.data ?? []).filter(({ status }) => status !== 'erased')
  const having = active.filter(({ policy }) => policy === detail.id)
  const others = active.filter(({ policy }) => policy !== detail.id)
  const use = useMutation({
    mutationFn: (id: string) =>
      patch<AccountDetail>(`/accounts/${encodeURIComponent(id)}`, { policy: detail.id }),
    onSuccess: ({ handle }) =>
      notify({
        title: `${detail.id} is in force for ${handle}`,
        description: 'From the next look on.',
      }),
    onError: notifyError,
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['accounts'] }),
        client.invalidateQueries({ queryKey: ['policies'], exact: true }),
      ]),
  })
  return (
    <div className="note">
      <p className="min-w-0 flex-1 basis-48">
        {having.length === 0
          ? `${detail.id} is in force for no account.`
          : `${detail.id} is in force for ${having.map(({ handle }) => handle).join(', ')}.`}
      </p>
      {others.map(({ id, handle }) => (
        <Button key={id} size="small" isBusy={use.isPending} onClick={() => use.mutate(id)}>
          Use it for {handle}
        </Button>
      ))}
    </div>
  )
}
