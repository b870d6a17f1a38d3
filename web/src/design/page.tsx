/** Owns the frame of a screen: its title, the one question it answers, and its actions. */

import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'

export interface PageProps {
  readonly title: string
  readonly question: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

export function Page({ title, question, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Second Wind`
  }, [title])
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // A screen reader is told of a new screen, and the next tab begins in it.
    heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <div className="mx-auto grid w-full max-w-6xl gap-5 px-4 py-5 sm:px-6 sm:py-6">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h1 ref={heading} tabIndex={-1} className="outline-none">
            {title}
          </h1>
          <p className="text-ink-faint">{question}</p>
        </div>
        {actions === undefined ? null : (
          <div className="flex flex-wrap items-center gap-2">{actions}</div>
        )}
      </header>
      {children}
    </div>
  )
}

export interface SectionProps {
  readonly title: string
  readonly aside?: ReactNode
  /** Without the padding, for tables that reach to the edge. */
  readonly isFlush?: boolean
  readonly children: ReactNode
}

export function Section({ title, aside, isFlush = false, children }: SectionProps) {
  return (
    <section className="card min-w-0 overflow-hidden" aria-label={title}>
      <div className="flex flex-wrap items-center justify-between gap-2 px-4 pt-3">
        <h2>{title}</h2>
        {aside === undefined ? null : <div className="text-sm text-ink-faint">{aside}</div>}
      </div>
      <div className={isFlush ? 'mt-2 min-w-0' : 'min-w-0 px-4 pt-2 pb-4'}>{children}</div>
    </section>
  )
}
