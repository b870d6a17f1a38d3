/** Owns tokens for programs: who has one, what it may do, and taking it back. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type {
  NewTokenBody,
  NewTokenView,
  TokenView,
} from '../../../../src/server/schema/session.ts'
import { tokensQuery } from '../../api/queries.ts'
import { post, remove } from '../../api/request.ts'
import { Badge } from '../../design/badge.tsx'
import { Button } from '../../design/button.tsx'
import { Section } from '../../design/page.tsx'
import { Loading, Trouble } from '../../design/situations.tsx'
import { Time } from '../../design/time.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'
import { SecretOnce } from './secret-once.tsx'

export function Tokens() {
  const query = useQuery(tokensQuery)
  const [secret, setSecret] = useState<string | null>(null)
  return (
    <Section title="Tokens" aside="for programs that use the API">
      <div className="grid gap-4">
        {query.isPending ? <Loading rows={2} /> : null}
        {query.error === null ? null : (
          <Trouble error={query.error} onRetry={() => void query.refetch()} />
        )}
        {query.data?.length === 0 ? (
          <p className="text-ink-soft">
            No program has access. Make a token to read or approve over the API.
          </p>
        ) : null}
        <ul className="grid divide-y divide-line">
          {query.data?.map((token) => (
            <TokenLine key={token.id} token={token} />
          ))}
        </ul>
        {secret === null ? (
          <NewToken onMade={setSecret} />
        ) : (
          <SecretOnce secret={secret} onDone={() => setSecret(null)} />
        )}
      </div>
    </Section>
  )
}

function TokenLine({ token }: { readonly token: TokenView }) {
  const client = useQueryClient()
  const revoke = useMutation({
    mutationFn: () => remove<undefined>(`/tokens/${encodeURIComponent(token.id)}`),
    onSuccess: () => notify({ title: `${token.name} was revoked` }),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['tokens'] }),
  })
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
      <span className="font-medium">{token.name}</span>
      <Badge isPlain>{token.scope}</Badge>
      <span className="text-ink-faint">
        {token.accountIds === null ? 'every account' : token.accountIds.join(', ')} · made{' '}
        <Time at={token.createdAt} />
        {token.expiresAt === null ? null : (
          <>
            {' '}
            · ends <Time at={token.expiresAt} />
          </>
        )}
      </span>
      <Button
        size="small"
        tone="danger"
        className="ml-auto"
        isBusy={revoke.isPending}
        aria-label={`Revoke ${token.name}`}
        onClick={() => revoke.mutate()}
      >
        Revoke
      </Button>
    </li>
  )
}

const scopes: readonly NewTokenBody['scope'][] = ['read', 'approve', 'write', 'admin']

function NewToken({ onMade }: { readonly onMade: (secret: string) => void }) {
  const client = useQueryClient()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<NewTokenBody['scope']>('read')
  const make = useMutation({
    mutationFn: () => post<NewTokenView>('/tokens', { name, scope } satisfies NewTokenBody),
    onSuccess: ({ secret }) => {
      setName('')
      onMade(secret)
    },
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['tokens'] }),
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
        className="input w-52!"
        aria-label="Name of the new token"
        placeholder="Name, such as reports"
        required
        maxLength={100}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <select
        className="input"
        aria-label="What it may do"
        value={scope}
        onChange={(event) => setScope(event.target.value as NewTokenBody['scope'])}
      >
        {scopes.map((value) => (
          <option key={value} value={value}>
            may {value}
          </option>
        ))}
      </select>
      <Button type="submit" isBusy={make.isPending}>
        Make a token
      </Button>
    </form>
  )
}
