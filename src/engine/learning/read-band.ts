/** Reads from the ledger how an account's past posts stood at each age, for charts. */

import { expectedBand } from '../../core/age-rank/band.ts'
import type { BandPoint } from '../../core/age-rank/band.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { AccountRow } from '../../ledger/rows.ts'
import { readBaseline } from '../baselines.ts'

/**
 * The expected band of an account as its decisions see it: the same past posts, borrowed ones where
 * its own are few, and weighted alike. It is read anew each time; who shows many posts keeps it.
 *
 * @returns a point for each age at which past posts were observed, with the tenth, the middle and
 * the nine tenths of their engagements; none where no past post is known.
 */
export async function readBand(ledger: Ledger, account: AccountRow): Promise<readonly BandPoint[]> {
  const { baseline } = await readBaseline(ledger, account)
  return expectedBand(baseline)
}
