/** Owns showing what an edit changes, word by word; not by colour alone. */

import type { ActionSummary } from '../../../src/server/schema/action.ts'

export type DiffRuns = NonNullable<ActionSummary['diff']>

export function WordDiff({ runs }: { readonly runs: DiffRuns }) {
  return runs.map(({ kind, text }, index) => {
    if (kind === 'added') return <ins key={index}>{text}</ins>
    if (kind === 'removed') return <del key={index}>{text}</del>
    return <span key={index}>{text}</span>
  })
}
