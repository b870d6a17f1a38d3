/**
 * Owns what a planted bug is: a change at one of the seams around the engine, made in the simulator
 * alone, that breaks one promise. The auditor knows nothing of it and has to find it.
 */

import type { Ledger, Store } from '../../src/ledger/index.ts'
import type { Platform } from '../../src/platform/platform.ts'
import type { TappedStore } from '../auditor/tapped-store.ts'
import type { PromiseName } from '../auditor/scene.ts'
import type { LedgerFaults } from '../faults/ledger-faults.ts'

export interface PlantedBug {
  readonly name: string
  /** Which promise the auditor must report broken. */
  readonly breaks: PromiseName
  /** What a programmer would have got wrong. */
  readonly mistake: string
  /** Sits between the ledger's meaning and where it is kept. */
  readonly store?: (store: TappedStore) => Store
  /** Sits between everyone and the ledger. */
  readonly ledger?: (ledger: Ledger, store: TappedStore) => Ledger
  /** Sits between the engine and its connectors. */
  readonly platform?: (platform: Platform) => Platform
  /** Sits where faults of the ledger are told. */
  readonly ledgerFaults?: (faults: LedgerFaults) => void
  /** Done when the ledger is found damaged. */
  readonly onDamage?: (store: TappedStore) => void
}
