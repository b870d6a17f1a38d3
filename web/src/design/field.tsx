/** Owns a labelled field with its hint and what is wrong with it. */

import { useId } from 'react'
import type { ReactNode } from 'react'

export interface FieldProps {
  readonly label: string
  readonly hint?: ReactNode
  readonly problem?: string | null
  /** Gets what ties the control to its label, hint and problem. */
  readonly children: (control: FieldControl) => ReactNode
}

export interface FieldControl {
  readonly id: string
  readonly 'aria-describedby': string | undefined
  readonly 'aria-invalid': boolean
}

export function Field({ label, hint, problem = null, children }: FieldProps) {
  const id = useId()
  const hasHint = hint !== undefined && hint !== ''
  const described = [hasHint ? `${id}-hint` : '', problem === null ? '' : `${id}-problem`]
  const control: FieldControl = {
    id,
    'aria-describedby': described.join(' ').trim() || undefined,
    'aria-invalid': problem !== null,
  }
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children(control)}
      {problem === null ? null : (
        <p id={`${id}-problem`} className="text-sm text-bad">
          {problem}
        </p>
      )}
      {hasHint ? (
        <p id={`${id}-hint`} className="text-sm text-ink-faint">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
