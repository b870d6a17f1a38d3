/** Owns the log of a webhook's deliveries. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { DeliveryView } from '../../../../src/server/schema/webhook.ts'
import { deliveriesQuery } from '../../api/queries.ts'
import { post } from '../../api/request.ts'
import { Badge } from '../../design/badge.tsx'
import type { Tone } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { Loading, Trouble } from '../../design/situations.tsx'
import { Time } from '../../design/time.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'

const tones: Readonly<Record<DeliveryView['state'], Tone>> = {
  pending: 'accent',
  delivered: 'good',
  failed: 'bad',
}

export function Deliveries({ webhookId }: { readonly webhookId: string }) {
  const client = useQueryClient()
  const query = useQuery(deliveriesQuery(webhookId))
  const again = useMutation({
    mutationFn: (id: string) =>
      post<DeliveryView>(
        `/webhooks/${encodeURIComponent(webhookId)}/deliveries/${encodeURIComponent(id)}/redeliver`,
      ),
    onSuccess: ({ state }) => notify({ title: `Sent once more: ${state}` }),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks', webhookId] }),
  })
  if (query.error !== null) {
    return <Trouble error={query.error} onRetry={() => void query.refetch()} />
  }
  if (query.data === undefined) return <Loading rows={3} />
  if (query.data.length === 0) return <p className="text-ink-soft">Nothing was sent yet.</p>
  return (
    <ol className="grid max-h-64 gap-1.5 overflow-y-auto">
      {query.data.map((delivery) => (
        <li key={delivery.id} className="flex flex-wrap items-center gap-x-3">
          <Badge tone={tones[delivery.state]}>{delivery.state}</Badge>
          <span>{delivery.type}</span>
          <span className="text-ink-faint">
            {delivery.status === null ? '' : `answered ${delivery.status} · `}
            <Time at={delivery.createdAt} />
            {delivery.nextAttemptAt === null ? null : (
              <>
                {' '}
                · again <Time at={delivery.nextAttemptAt} />
              </>
            )}
          </span>
          <Button
            size="small"
            className="ml-auto"
            isBusy={again.isPending}
            onClick={() => again.mutate(delivery.id)}
          >
            Send again
          </Button>
        </li>
      ))}
    </ol>
  )
}
