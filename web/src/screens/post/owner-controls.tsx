/** Owns what the owner can do about a post: look now, never touch. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PostDetail, PostView } from '../../../../src/server/schema/post.ts'
import { post as send, put } from '../../api/request.ts'
import { Button } from '../../design/button.tsx'
import { notify, notifyError } from '../../design/toasts.tsx'

export function OwnerControls({ post }: { readonly post: PostDetail }) {
  const client = useQueryClient()
  const path = `/posts/${encodeURIComponent(post.id)}`
  const refresh = () => client.invalidateQueries({ queryKey: ['posts'] })
  const check = useMutation({
    mutationFn: () => send<PostView>(`${path}/check`),
    onSuccess: () => notify({ title: 'It is looked at next', description: 'A moment, please.' }),
    onError: notifyError,
    onSettled: refresh,
  })
  const touch = useMutation({
    mutationFn: (on: boolean) => put<PostView>(`${path}/never-touch`, { on }),
    onSuccess: ({ neverTouch }) =>
      notify({
        title: neverTouch ? 'Never touched from now on' : 'May be acted on again',
        description: neverTouch ? 'It is still watched.' : 'All other guards still apply.',
      }),
    onError: notifyError,
    onSettled: refresh,
  })
  if (post.status !== 'watched') return null
  return (
    <>
      <Button isBusy={check.isPending} onClick={() => check.mutate()}>
        Look now
      </Button>
      <Button isBusy={touch.isPending} onClick={() => touch.mutate(!post.neverTouch)}>
        {post.neverTouch ? 'Allow actions again' : 'Never touch'}
      </Button>
    </>
  )
}
