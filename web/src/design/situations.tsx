/** Owns the three situations without data: still loading, nothing there yet, and an error. */

import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ApiProblem } from '../api/request.ts'
import { Button } from './button.tsx'

/** Holds the place of what will come, so that nothing jumps when it does. */
export function Loading({ rows = 4 }: { readonly rows?: number }) {
  return (
    <div role="status" aria-label="Loading" className="grid gap-2 p-4">
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} className="skeleton h-5" />
      ))}
    </div>
  )
}

export interface EmptyProps {
  readonly title: string
  /** The next step. */
  readonly children: ReactNode
  readonly action?: ReactNode
}

export function Empty({ title, children, action }: EmptyProps) {
  return (
    <div className="grid justify-items-center gap-2 px-6 py-14 text-center">
      <p className="font-semibold">{title}</p>
      <p className="max-w-md text-ink-soft">{children}</p>
      {action === undefined ? null : <div className="mt-2">{action}</div>}
    </div>
  )
}

export interface TroubleProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** Says what happened and what to do about it. */
export function Trouble({ error, onRetry }: TroubleProps) {
  const { title, detail } = wordError(error)
  return (
    <div role="alert" className="note m-4" data-tone="bad">
      <div className="min-w-0 flex-1">
        <p className="font-semibold">{title}</p>
        <p className="text-ink-soft">{detail}</p>
      </div>
      {onRetry === undefined ? null : <Button onClick={onRetry}>Try again</Button>}
    </div>
  )
}

export function wordError(error: unknown): { readonly title: string; readonly detail: string } {
  if (error instanceof ApiProblem) {
    // The server's own sentence often names the field already.
    const fields = error.fields
      .filter(({ problem }) => !error.message.includes(problem))
      .map(({ field, problem }) => `${field}: ${problem}`)
    return { title: error.title, detail: [error.message, ...fields].join(' ') }
  }
  return {
    title: 'This page met an error of its own',
    detail: `${error instanceof Error ? error.message : String(error)}. Load the page again.`,
  }
}

/** What the router shows where a screen threw. */
export function ScreenTrouble({ error }: { readonly error: unknown }) {
  const router = useRouter()
  return <Trouble error={error} onRetry={() => void router.invalidate()} />
}
