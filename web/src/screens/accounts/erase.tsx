/** Owns erasing an account. It cannot be taken back, so the handle is typed. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountDetail } from '../../../../src/server/schema/account.ts'
import { remove } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Dialog } from '../../design/dialog.tsx'
import { Field } from '../../design/field.tsx'
import { Section } from '../../design/page.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'

export function Erase({ account }: { readonly account: AccountDetail }) {
  const client = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const [typed, setTyped] = useState('')
  const erase = useMutation({
    mutationFn: () => remove<undefined>(`/accounts/${encodeURIComponent(account.id)}`),
    onSuccess: () => {
      setIsAsking(false)
      notify({ title: `${account.handle} was erased` })
    },
    onError: notifyError,
    onSettled: () => client.invalidateQueries(),
  })
  return (
    <Section title="Erase">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-sm text-ink-soft">
          Its secrets and texts go for good. Keys and hashes stay, so that the audit log still
          holds.
        </p>
        <Button tone="danger" onClick={() => setIsAsking(true)}>
          Erase this account
        </Button>
      </div>
      <Dialog
        isOpen={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Erase ${account.handle}?`}
        description="This cannot be taken back. Posts on the network stay as they are."
        goOn={
          <Button
            tone="alarm"
            disabled={typed !== account.handle}
            isBusy={erase.isPending}
            onClick={() => erase.mutate()}
          >
            Erase
          </Button>
        }
      >
        <Field label={`Type ${account.handle} to go on`}>
          {(control) => (
            <input
              {...control}
              className="input"
              autoComplete="off"
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
            />
          )}
        </Field>
      </Dialog>
    </Section>
  )
}
