/** Owns a choice of one among few, with the browser's own control: it works on phones as well. */

export interface ChoiceProps {
  readonly label: string
  readonly value: string
  readonly options: readonly { readonly value: string; readonly title: string }[]
  readonly onChange: (value: string) => void
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select
      className="input"
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.title}
        </option>
      ))}
    </select>
  )
}
