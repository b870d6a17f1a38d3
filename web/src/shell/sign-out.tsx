/** Owns signing out. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { remove } from '../api/request.ts'
import { Icon } from '../design/icons.tsx'
import { notifyError } from '../design/toasts.tsx'

export function SignOut({ name }: { readonly name: string }) {
  const client = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => remove<undefined>('/session'),
    onError: notifyError,
    // Nothing that was seen stays behind in the page.
    onSuccess: () => client.resetQueries(),
  })
  return (
    <button type="button" className="place" onClick={() => signOut.mutate()} title={name}>
      <Icon name="stop" />
      Sign out
    </button>
  )
}
