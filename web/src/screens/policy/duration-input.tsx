/** Owns entering a duration as a number and a unit, within a sentence. */

import { useState } from 'react'

const units = [
  { name: 's', ms: 1000 },
  { name: 'min', ms: 60_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'd', ms: 86_400_000 },
] as const
type UnitName = (typeof units)[number]['name']

export interface DurationInputProps {
  readonly label: string
  readonly valueMs: number
  readonly onChange: (valueMs: number) => void
}

/** The largest unit in which it is a whole number, but days only from three on: 24 h is a habit. */
export function unitFor(valueMs: number): UnitName {
  const isFit = ({ name, ms }: (typeof units)[number]) =>
    valueMs % ms === 0 && valueMs >= (name === 'd' ? 3 * ms : ms)
  return units.findLast(isFit)?.name ?? 's'
}

export function DurationInput({ label, valueMs, onChange }: DurationInputProps) {
  const [unit, setUnit] = useState<UnitName>(() => unitFor(valueMs))
  const unitMs = units.find(({ name }) => name === unit)?.ms ?? 1000
  return (
    <span className="inline-flex gap-1 align-baseline">
      <input
        type="number"
        className="input w-16!"
        data-inline="true"
        aria-label={label}
        min={0}
        step="any"
        required
        value={valueMs / unitMs}
        onChange={(event) => {
          if (event.target.value !== '') onChange(Math.round(event.target.valueAsNumber * unitMs))
        }}
      />
      <select
        className="input"
        data-inline="true"
        aria-label={`Unit of ${label}`}
        value={unit}
        onChange={(event) => {
          const next = event.target.value as UnitName
          const nextMs = units.find(({ name }) => name === next)?.ms ?? 1000
          setUnit(next)
          // The number stays and its unit changes: that is what was chosen.
          onChange(Math.round((valueMs / unitMs) * nextMs))
        }}
      >
        {units.map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </span>
  )
}
