/** Owns the frame of what is seen before signing in. */

import { useEffect } from 'react'
import type { ReactNode } from 'react'

export interface EntryFrameProps {
  readonly title: string
  readonly children: ReactNode
}

export function EntryFrame({ title, children }: EntryFrameProps) {
  useEffect(() => {
    document.title = `${title} · Second Wind`
  }, [title])
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-5 flex items-center justify-center gap-2.5 font-semibold">
          <img src="/icon.svg" alt="" width="28" height="28" />
          Second Wind
        </div>
        <div className="card grid gap-4 p-6">
          <h1>{title}</h1>
          {children}
        </div>
      </div>
    </main>
  )
}
