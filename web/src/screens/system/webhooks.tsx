/** Owns webhooks: where events are sent, whether that works, and the log of deliveries. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  DeliveryView,
  NewWebhookBody,
  NewWebhookView,
  WebhookView,
} from '../../../../src/server/schema/webhook.ts'
import { webhooksQuery } from '../../api/queries.ts'
import { patch, post, remove } from '../../api/request.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { Section } from '../../design/page.tsx'
import { Loading, Trouble } from '../../design/situations.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'
import { plural } from '../../words/numbers.ts'
import { Deliveries } from './deliveries.tsx'
import { SecretOnce } from './secret-once.tsx'

export function Webhooks() {
  const query = useQuery(webhooksQuery)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Section title="Webhooks" aside="every event, signed, to an address of yours">
      <div className="grid gap-4">
        {query.isPending ? <Loading rows={2} /> : null}
        {query.error === null ? null : (
          <Trouble error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.data?.length === 0 ? (
          <p className="text-ink-soft">
            No event leaves this server. Add an address to be told when an approval waits.
          </p>
        ) : null}
        <ul className="grid divide-y divide-line">
          {query.data?.map((webhook) => (
            <WebhookLine key={webhook.id} webhook={webhook} />
          ))}
        </ul>
        {secret === null ? (
          <NewWebhook onMade={setSecret} />
        ) : (
          <SecretOnce secret={secret} onDone={() => setSecret(null)} />
        )}
      </div>
    </Section>
  )
}

function WebhookLine({ webhook }: { readonly webhook: WebhookView }) {
  const path = `/webhooks/${encodeURIComponent(webhook.id)}`
  const [isOpen, setIsOpen] = useState(false)
  const test = useChange(() => post<DeliveryView>(`${path}/test`), describeTest)
  const toggle = useChange(
    () => patch<WebhookView>(path, { active: !webhook.active }),
    ({ active }) => (active ? 'Switched on' : 'Switched off'),
  )
  const erase = useChange(
    () => remove<undefined>(path),
    () => 'The webhook was removed',
  )
  return (
    <li className="grid gap-2 py-2 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 font-medium [overflow-wrap:anywhere]">{webhook.url}</span>
        <Badge tone={webhook.active ? 'good' : 'plain'}>{webhook.active ? 'on' : 'off'}</Badge>
        {webhook.failures > 0 ? (
          <Badge tone="bad">{plural(webhook.failures, 'failure')} in a row</Badge>
        ) : null}
        <span className="ml-auto flex flex-wrap gap-1.5">
          <Button size="small" isBusy={test.isPending} onClick={() => test.mutate()}>
            Send a test
          </Button>
          <Button size="small" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            Deliveries
          </Button>
          <Button size="small" isBusy={toggle.isPending} onClick={() => toggle.mutate()}>
            {webhook.active ? 'Switch off' : 'Switch on'}
          </Button>
          <Button
            size="small"
            tone="danger"
            isBusy={erase.isPending}
            onClick={() => erase.mutate()}
          >
            Remove
          </Button>
        </span>
      </div>
      {isOpen ? <Deliveries webhookId={webhook.id} /> : null}
    </li>
  )
}

/** Does something about webhooks, says so, and asks for them again. */
function useChange<Answer>(change: () => Promise<Answer>, describe: (answer: Answer) => string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => notify({ title: describe(answer) }),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  })
}

function describeTest({ state, status }: DeliveryView): string {
  if (state === 'delivered') return 'The test was delivered'
  return status === null ? 'The address did not answer' : `The address answered ${status}`
}

function NewWebhook({ onMade }: { readonly onMade: (secret: string) => void }) {
  const client = useQueryClient()
  const [url, setUrl] = useState('')
  const make = useMutation({
    mutationFn: () => post<NewWebhookView>('/webhooks', { url } satisfies NewWebhookBody),
    onSuccess: ({ secret }) => {
      setUrl('')
      onMade(secret)
    },
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  })
  return (
    <form
      className="flex flex-wrap gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        make.mutate()
      }}
    >
      <input
        className="input w-72! max-w-full"
        type="url"
        aria-label="Address of the new webhook"
        placeholder="https://…"
        required
        value={url}
        onChange={(event) => setUrl(event.target.value)}
      />
      <Button type="submit" isBusy={make.isPending}>
        Add a webhook
      </Button>
    </form>
  )
}
