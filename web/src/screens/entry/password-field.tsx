/** Owns the field for a password. */

import { Field } from '../../design/field.tsx'

export interface PasswordFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly autoComplete: 'new-password' | 'current-password'
  readonly hint?: string
  readonly problem?: string | null
  readonly isFirst?: boolean
}

export function PasswordField(props: PasswordFieldProps) {
  const { label, value, onChange, autoComplete, hint, problem = null, isFirst = false } = props
  return (
    <Field label={label} hint={hint} problem={problem}>
      {(control) => (
        <input
          {...control}
          type="password"
          className="input"
          required
          // The field is all there is on this page.
          autoFocus={isFirst}
          autoComplete={autoComplete}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  )
}
