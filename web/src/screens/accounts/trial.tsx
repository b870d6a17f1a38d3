/** Owns trying out on the network what reading does not show. It posts, so it asks first. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountDetail, AccountProof } from '../../../../src/server/schema/account.ts'
import { platformsQuery } from '../../api/queries.ts'
import { post } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Section } from '../../design/page.tsx'
import { notifyError } from '../../design/toasts.tsx'

export function Trial({ account }: { readonly account: AccountDetail }) {
  const platforms = useQuery(platformsQuery)
  const [isAsking, setIsAsking] = useState(false)
  const client = useQueryClient()
  const prove = useMutation({
    mutationFn: () => post<AccountProof>(`/accounts/${encodeURIComponent(account.id)}/prove`),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['accounts'] }),
  })
  const trial = platforms.data?.find(({ name }) => name === account.platform)?.trial ?? null
  if (trial === null) return null
  return (
    <Section title="Try it out">
      <div className="grid gap-3">
        <p className="max-w-prose text-ink-soft">This finds out {trial.question}.</p>
        {prove.data === undefined ? null : <Proof proof={prove.data} />}
        <div>
          <Button isBusy={prove.isPending} onClick={() => setIsAsking(true)}>
            Try it out
          </Button>
        </div>
      </div>
      <Dialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Try it out as ${account.handle}?`}
        description={trial.steps}
        goOn={
          <Button
            tone="main"
            onClick={() => {
              setIsAsking(false)
              prove.mutate()
            }}
          >
            Try it now
          </Button>
        }
      />
    </Section>
  )
}

function Proof({ proof }: { readonly proof: AccountProof }) {
  return (
    <p role="status" className="note" data-tone={proof.kind === 'ok' ? 'good' : 'bad'}>
      {proof.kind === 'ok' ? wordFinding(proof) : wordFailure(proof)}
    </p>
  )
}

function wordFinding({ finding, leftOver }: AccountProof & { readonly kind: 'ok' }): string {
  if (leftOver.length === 0) return finding
  return `${finding} Delete by hand what could not be removed: ${leftOver.join(', ')}.`
}

function wordFailure(proof: AccountProof & { readonly kind: 'failed' }): string {
  const { detail, code, mayBeLeft } = proof
  const left = mayBeLeft ? ' Something of it may still be there: look, and delete it.' : ''
  return `Nothing was found out: ${detail} (${code}).${left}`
}
