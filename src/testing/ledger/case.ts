/** Owns the shape of a case: a sentence that must be true of every store, and how to show it. */

import { LedgerHarness } from './harness.ts'
import type { NewLedgerData } from './harness.ts'
import { World } from './world.ts'

/** One statement about a ledger. It throws where the statement does not hold. */
export interface LedgerCase {
  readonly name: string
  run(newData: NewLedgerData): Promise<void>
}

/** Gives each case a world of its own, which is taken down whatever becomes of it. */
export function casesOf(
  subject: string,
  cases: Readonly<Record<string, (world: World) => Promise<void>>>,
): readonly LedgerCase[] {
  return Object.entries(cases).map(([name, play]) => ({
    name: `${subject}: ${name}`,
    run: async (newData) => {
      await using harness = await LedgerHarness.open(newData)
      await play(new World(harness))
    },
  }))
}
