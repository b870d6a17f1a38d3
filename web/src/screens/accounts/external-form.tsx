/** Owns adding an account whose counters someone pushes over the API. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { AccountDetail, NewAccountBody } from '../../../../src/server/schema/account.ts'
import { post, problemOfField } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { Field } from '../../design/field.tsx'
import { notify } from '../../design/toasts.tsx'
import { wordError } from '../../design/situations.tsx'

export function ExternalForm({ onDone }: { readonly onDone: () => void }) {
  const client = useQueryClient()
  const [handle, setHandle] = useState('')
  const add = useMutation({
    mutationFn: () =>
      post<AccountDetail>('/accounts', { kind: 'external', handle } satisfies NewAccountBody),
    onSuccess: async () => {
      await client.invalidateQueries()
      notify({ title: `${handle} was added`, description: 'Push its samples to /api/v1/samples.' })
      onDone()
    },
  })
  const problem =
    add.error === null ? null : (problemOfField(add.error, 'handle') ?? wordError(add.error).detail)
  return (
    <form
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <Field label="Name" hint="As it shall stand on every screen." problem={problem}>
        {(control) => (
          <input
            {...control}
            className="input"
            required
            maxLength={256}
            value={handle}
            onChange={(event) => setHandle(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" tone="main" isBusy={add.isPending}>
        Add it
      </Button>
    </form>
  )
}
