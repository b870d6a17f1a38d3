/** Owns the checklist of guards: what each saw, and whether it passed. */

import type { ActionSummary } from '../../../src/server/schema/action.ts'
import { Icon } from '../design/icons.tsx'
import { Prose } from '../design/prose.tsx'
import { wordName } from '../words/states.ts'

export type GuardLine = ActionSummary['guards'][number]

export function GuardList({ guards }: { readonly guards: readonly GuardLine[] }) {
  if (guards.length === 0) {
    return <p className="text-ink-soft">The decision ended before any guard was asked.</p>
  }
  return (
    <ul className="grid gap-1.5 text-sm">
      {guards.map(({ guard, kind, sentence }) => (
        <li key={guard} className="flex gap-2">
          <span className={kind === 'pass' ? 'text-good' : 'text-warn'}>
            <Icon name={kind === 'pass' ? 'check' : 'pause'} />
            <span className="sr-only">{kind === 'pass' ? 'passes' : 'holds'}</span>
          </span>
          <span className="min-w-0">
            <span className="font-medium">{wordName(guard)}:</span>{' '}
            <span className="text-ink-soft">
              <Prose text={sentence} />
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** `all 17 guards pass`, or which hold. */
export function summariseGuards(guards: readonly GuardLine[]): string {
  const holding = guards.filter(({ kind }) => kind === 'hold').map(({ guard }) => wordName(guard))
  if (holding.length === 0) return `all ${guards.length} pass`
  return `held by ${holding.join(', ')}`
}
