/** Owns sending a person's decision, and what is said after it. */

import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { QueryClient } from '@tanstack/react-query'
import type { ActionSummary, Retried } from '../../../src/server/schema/action.ts'
import { post } from '../api/request.ts'
import { notify, notifyError } from '../design/toasts.tsx'
import { formatDuration } from '../words/time.ts'

export type Decision =
  | { readonly kind: 'approve'; readonly text?: string }
  | { readonly kind: 'reject'; readonly reason: string }
  | { readonly kind: 'revise'; readonly text: string }
  | { readonly kind: 'snooze'; readonly forMs: number }
  | { readonly kind: 'cancel'; readonly reason: string }
  | { readonly kind: 'attend'; readonly landed: boolean; readonly url: string | null }
  | { readonly kind: 'undo' }
  | { readonly kind: 'retry' }

/** What a decision is about: the text that was shown is part of it. */
export interface Subject {
  readonly id: string
  readonly textHash: string
}

function bodyOf(decision: Decision, textHash: string): unknown {
  const { kind: _, ...rest } = decision
  return decision.kind === 'approve' || decision.kind === 'revise' ? { ...rest, textHash } : rest
}

async function sendDecision({ id, textHash }: Subject, decision: Decision) {
  const path = `/actions/${encodeURIComponent(id)}/${decision.kind}`
  return post<ActionSummary | Retried>(path, bodyOf(decision, textHash))
}

export interface DecisionRequest {
  readonly subject: Subject
  readonly decision: Decision
}

/** Sends a decision. What the screens show is asked for again, whether it went well or not. */
export function useDecision(onDone?: (request: DecisionRequest) => void) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ subject, decision }: DecisionRequest) => sendDecision(subject, decision),
    onSuccess: (answer, request) => {
      sayWhatWasDone(client, answer, request)
      onDone?.(request)
    },
    onError: notifyError,
    onSettled: () => refresh(client),
  })
}

async function refresh(client: QueryClient): Promise<void> {
  await Promise.all(
    ['actions', 'posts', 'overview'].map((topic) =>
      client.invalidateQueries({ queryKey: [topic] }),
    ),
  )
}

function sayWhatWasDone(
  client: QueryClient,
  answer: ActionSummary | Retried,
  { subject, decision }: DecisionRequest,
): void {
  if ('sentence' in answer) {
    notify({ title: 'The post is looked at anew', description: answer.sentence })
    return
  }
  switch (decision.kind) {
    case 'approve':
      notify({
        title: 'Approved',
        description: 'It is sent after a moment in which it can be taken back.',
        action: { label: 'Take back', run: () => takeBack(client, subject) },
      })
      return
    case 'reject':
      return notify({ title: 'Rejected', description: 'Nothing is sent.' })
    case 'revise':
      return notify({ title: 'Text saved', description: 'It still awaits approval.' })
    case 'snooze':
      return notify({ title: `Asked again in ${formatDuration(decision.forMs)}` })
    case 'cancel':
      return notify({ title: 'Cancelled', description: 'Nothing is sent.' })
    case 'attend':
      return notify({ title: decision.landed ? 'Noted: it landed' : 'Noted: nothing landed' })
    case 'undo':
      return notify({ title: 'Undo planned', description: 'It is an action of its own.' })
    case 'retry':
  }
}

function takeBack(client: QueryClient, subject: Subject): void {
  sendDecision(subject, { kind: 'cancel', reason: 'Taken back after approval' })
    .then(() => notify({ title: 'Taken back', description: 'Nothing is sent.' }))
    .catch(notifyError)
    .finally(() => void refresh(client))
}
