/** Owns pausing and resuming, from wherever it is asked for. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { PauseBody, Paused, PauseView } from '../../../src/server/schema/pause.ts'
import { post, remove } from '../api/request.ts'
import { notify, notifyError } from '../design/toasts.tsx'
import { plural } from '../words/numbers.ts'

export type PauseSubject = Pick<PauseView, 'scope' | 'target'>

/** What was paused is this account, and not all or all of its network. */
export function pauseOfAccount(pauses: readonly PauseView[], id: string): PauseView | undefined {
  return pauses.find(({ scope, target }) => scope === 'account' && target === id)
}

/** When it is answered, no send begins any more. */
export function usePause(onDone?: () => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: PauseBody) => post<Paused>('/pauses', body),
    onSuccess: ({ inFlight }) => {
      notify({ title: 'Paused', description: describeInFlight(inFlight.length) })
      onDone?.()
    },
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['pauses'] }),
  })
}

export function useResume() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ scope, target }: PauseSubject) =>
      remove<undefined>('/pauses', { scope, target }),
    onSuccess: () => notify({ title: 'Resumed', description: 'Due actions go on from now.' }),
    onError: notifyError,
    onSettled: () => client.invalidateQueries({ queryKey: ['pauses'] }),
  })
}

function describeInFlight(count: number): string {
  if (count === 0) return 'Nothing was in flight.'
  return `${plural(count, 'action')} had begun before, and may still land.`
}
