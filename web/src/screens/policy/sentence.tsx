/** Owns one sentence of the policy, with its fields in place. */

import type { Policy } from './draft.ts'
import { readAt } from './draft.ts'
import { DurationInput } from './duration-input.tsx'
import { partsOf } from './sentences.ts'
import type { FieldPart } from './sentences.ts'

export interface SentenceProps {
  readonly sentence: string
  readonly draft: Policy
  readonly onChange: (path: string, value: unknown) => void
}

export function Sentence({ sentence, draft, onChange }: SentenceProps) {
  const parts = partsOf(sentence)
  // A policy may leave a value out, such as a limit that it does not set.
  const isComplete = parts.every((part) => part.kind === 'text' || isSet(readAt(draft, part.path)))
  if (!isComplete) return null
  return (
    <p className="leading-8">
      {parts.map((part, index) =>
        part.kind === 'text' ? (
          <span key={index}>{part.text}</span>
        ) : (
          // A comma must not begin a line, so it stays with the field before it.
          <span key={part.path} className="whitespace-nowrap">
            <InlineField
              part={part}
              value={readAt(draft, part.path)}
              onChange={(value) => onChange(part.path, value)}
            />
            {part.after}
          </span>
        ),
      )}
    </p>
  )
}

function isSet(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'string'
}

interface InlineFieldProps {
  readonly part: FieldPart
  readonly value: unknown
  readonly onChange: (value: unknown) => void
}

function InlineField({ part, value, onChange }: InlineFieldProps) {
  const label = labelOf(part.path)
  if (part.field === 'duration') {
    return <DurationInput label={label} valueMs={Number(value)} onChange={onChange} />
  }
  if (part.field === 'clock') {
    return (
      <input
        type="time"
        className="input"
        data-inline="true"
        aria-label={label}
        required
        value={String(value)}
        onChange={(event) => {
          if (event.target.value !== '') onChange(event.target.value)
        }}
      />
    )
  }
  const isScore = part.field === 'score'
  return (
    <input
      type="number"
      className={`input ${isScore ? 'w-18!' : 'w-16!'}`}
      data-inline="true"
      aria-label={label}
      min={isScore ? 0 : 1}
      max={isScore ? 1 : undefined}
      step={isScore ? 0.01 : 1}
      required
      value={Number(value)}
      onChange={(event) => {
        if (event.target.value !== '') onChange(event.target.valueAsNumber)
      }}
    />
  )
}

/** `guards.account_budget.perHour` → `account budget, per hour`. */
export function labelOf(path: string): string {
  return path
    .split('.')
    .filter((part) => part !== 'guards')
    .map((part) =>
      part
        .replace(/Ms$/, '')
        .replaceAll(/[_-]/g, ' ')
        .replaceAll(/([A-Z])/g, ' $1')
        .toLowerCase(),
    )
    .join(', ')
}
