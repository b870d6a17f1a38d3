/** Owns the marks of an action's state and a post's verdict. */

import { stateWords, verdictWords } from '../words/states.ts'
import type { State, VerdictKind } from '../words/states.ts'
import { Badge } from './badge.tsx'

export function StateMark({ state }: { readonly state: State }) {
  const { label, tone, meaning } = stateWords[state]
  return (
    <Badge tone={tone} title={meaning}>
      {label}
    </Badge>
  )
}

export function VerdictMark({ kind }: { readonly kind: VerdictKind }) {
  const { label, tone, meaning } = verdictWords[kind]
  return (
    <Badge tone={tone} title={meaning}>
      {label}
    </Badge>
  )
}
