/** Owns which rows a guard counts: every one, as the classic executor did, or what may be seen. */

import { mayHaveLanded } from '../states.ts'
import type { State } from '../states.ts'

export const countingRules = ['every', 'may_have_landed'] as const
export type CountingRule = (typeof countingRules)[number]

export function isCounted(state: State, rule: CountingRule): boolean {
  return rule === 'every' || mayHaveLanded(state)
}
