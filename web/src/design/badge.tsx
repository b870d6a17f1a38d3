/** Owns the small marks for states and kinds. A mark always has words, never a colour alone. */

import type { ReactNode } from 'react'

export type Tone = 'plain' | 'good' | 'warn' | 'bad' | 'odd' | 'accent'

export interface BadgeProps {
  readonly tone?: Tone
  /** Without the dot, for what is a kind and not a state. */
  readonly isPlain?: boolean
  readonly title?: string | undefined
  readonly children: ReactNode
}

export function Badge({ tone = 'plain', isPlain = false, title, children }: BadgeProps) {
  return (
    <span className="badge" data-tone={tone} data-plain={isPlain} title={title}>
      {children}
    </span>
  )
}
